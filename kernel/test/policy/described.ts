/** More policies by their papers' words, on plain arrays: slow, and easy to compare with the text. The first of a list goes first. */
import type { PageId } from '@pagefault/contracts';

const drop = (list: PageId[], x: PageId) => list.splice(list.indexOf(x), 1);

export function mruMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const stack: PageId[] = [];
  return missesOf(trace, (x) => {
    const isHit = stack.includes(x);
    if (isHit) drop(stack, x);
    else if (stack.length === frames) stack.pop();
    stack.push(x);
    return isHit;
  });
}

export function lfuMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const resident = new Map<PageId, { count: number; last: number }>();
  let now = 0;
  return missesOf(trace, (x) => {
    const page = resident.get(x);
    if (!page && resident.size === frames) {
      const [least] = [...resident].toSorted(([, a], [, b]) => a.count - b.count || a.last - b.last);
      if (least) resident.delete(least[0]);
    }
    resident.set(x, { count: (page?.count ?? 0) + 1, last: now++ });
    return page !== undefined;
  });
}

/** Full 2Q, with its Kin of a quarter and its Kout of half. */
export function twoQueueMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const [a1in, a1out, am]: [PageId[], PageId[], PageId[]] = [[], [], []];
  const reclaim = () => {
    if (a1in.length + am.length < frames) return;
    if (a1in.length <= 0.25 * frames && am.length > 0) return void am.shift();
    a1out.push(...a1in.splice(0, 1));
    if (a1out.length > 0.5 * frames) a1out.shift();
  };
  return missesOf(trace, (x) => {
    if (am.includes(x)) {
      drop(am, x);
      am.push(x);
      return true;
    }
    if (a1in.includes(x)) return true;
    const isGhost = a1out.includes(x);
    reclaim();
    if (a1out.includes(x)) drop(a1out, x);
    (isGhost ? am : a1in).push(x);
    return false;
  });
}

/** Algorithm 1 of S3-FIFO; which queue must give is looked at after each promotion. */
export function s3FifoMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const [small, main, ghosts]: [PageId[], PageId[], PageId[]] = [[], [], []];
  const uses = new Map<PageId, number>();
  const evict = () => {
    for (;;) {
      const isSmall = small.length > 0 && (main.length === 0 || small.length >= 0.1 * frames);
      const [x = 0] = (isSmall ? small : main).splice(0, 1);
      const count = uses.get(x) ?? 0;
      if (count <= (isSmall ? 1 : 0)) {
        uses.delete(x);
        if (isSmall) ghosts.push(x);
        if (ghosts.length > 0.9 * frames) ghosts.shift();
        return;
      }
      main.push(x);
      uses.set(x, isSmall ? 0 : count - 1);
    }
  };
  return missesOf(trace, (x) => {
    if (small.includes(x) || main.includes(x)) {
      uses.set(x, Math.min(3, (uses.get(x) ?? 0) + 1));
      return true;
    }
    if (small.length + main.length === frames) evict();
    if (ghosts.includes(x)) {
      drop(ghosts, x);
      main.push(x);
    } else small.push(x);
    return false;
  });
}

/** LIRS with a queue of two pages; to need a page twice in a row counts once. */
export function lirsMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const [stack, queue]: [PageId[], PageId[]] = [[], []];
  const lir = new Set<PageId>();
  const most = frames - 2;
  let last: PageId | undefined;
  const prune = () => {
    while (stack.length > 0 && !lir.has(stack[0] ?? 0)) stack.shift();
  };
  const toTop = (x: PageId) => {
    if (stack.includes(x)) drop(stack, x);
    stack.push(x);
  };
  const promote = (x: PageId) => {
    lir.add(x);
    toTop(x);
    prune();
    while (lir.size > most) {
      const [bottom = 0] = stack.splice(0, 1);
      lir.delete(bottom);
      queue.push(bottom);
      prune();
    }
  };
  return missesOf(trace, (x) => {
    const isHit = lir.has(x) || queue.includes(x);
    if (x === last) return true;
    last = x;
    if (lir.has(x)) {
      toTop(x);
      prune();
      return true;
    }
    if (!isHit && lir.size + queue.length === frames) queue.shift();
    const isClose = stack.includes(x);
    if (isClose || (!isHit && lir.size < most)) {
      if (queue.includes(x)) drop(queue, x);
      promote(x);
    } else {
      if (queue.includes(x)) drop(queue, x);
      queue.push(x);
      toTop(x);
      prune();
    }
    return isHit;
  });
}

function missesOf(trace: Iterable<PageId>, isHit: (x: PageId) => boolean): PageId[] {
  return [...trace].filter((x) => !isHit(x));
}
