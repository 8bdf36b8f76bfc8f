/** Policies as the literature runs them: unit pages, and a first touch is a miss. */
import type { PageId } from '@pagefault/contracts';
import type { PagingPolicy } from '../../src/policy/policy.js';

/** The pages that missed, in order. */
export function misses(policy: PagingPolicy, frames: number, trace: Iterable<PageId>): PageId[] {
  const resident = new Set<PageId>();
  const missed: PageId[] = [];
  policy.configure({ capacity: frames, unit: 'pages' });
  for (const page of trace) {
    policy.onNeed([{ id: page, why: 'page-in' }], 0);
    if (resident.has(page)) continue;
    missed.push(page);
    if (resident.size === frames) evict(policy, resident);
    resident.add(page);
    policy.onBirth({ id: page, kind: 'user', tokens: 1, firstSeq: page, lastSeq: page });
  }
  return missed;
}

function evict(policy: PagingPolicy, resident: Set<PageId>): void {
  const [victim, ...others] = policy.victims({ release: 1, isEligible: (id) => resident.has(id), step: 0 });
  if (victim === undefined || others.length > 0) throw new Error('one page must go, and one only');
  resident.delete(victim);
  policy.onResidency(victim, 'evicted', 'reclaim');
}

/** CLOCK by its description: a queue; a page with its bit set goes to the end without it. */
export function clockMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const queue: { readonly page: PageId; bit: boolean }[] = [];
  const missed: PageId[] = [];
  for (const page of trace) {
    const found = queue.find((frame) => frame.page === page);
    if (found) found.bit = true;
    else {
      missed.push(page);
      while (queue.length === frames) {
        const first = queue.shift();
        if (first?.bit) queue.push({ page: first.page, bit: false });
      }
      queue.push({ page, bit: false });
    }
  }
  return missed;
}

/** SIEVE by algorithm 1 of its paper; the queue's head is its end, so the hand moves up. */
export function sieveMisses(frames: number, trace: Iterable<PageId>): PageId[] {
  const queue: { readonly page: PageId; visited: boolean }[] = [];
  const missed: PageId[] = [];
  let hand = 0;
  for (const page of trace) {
    const found = queue.find((frame) => frame.page === page);
    if (found) {
      found.visited = true;
      continue;
    }
    missed.push(page);
    if (queue.length === frames) {
      for (let frame = queue[hand]; frame?.visited; frame = queue[hand]) {
        frame.visited = false;
        hand = (hand + 1) % queue.length;
      }
      queue.splice(hand, 1);
      if (hand === queue.length) hand = 0;
    }
    queue.push({ page, visited: false });
  }
  return missed;
}

/** ARC by figure 4 of its paper, cases and names as they stand there. The first of a list is its LRU page. */
export function arcMisses(c: number, trace: Iterable<PageId>): PageId[] {
  const [t1, t2, b1, b2]: [PageId[], PageId[], PageId[], PageId[]] = [[], [], [], []];
  const missed: PageId[] = [];
  let p = 0;
  const drop = (list: PageId[], x: PageId) => list.splice(list.indexOf(x), 1);
  const moveLru = (from: PageId[], to: PageId[]) => to.push(...from.splice(0, 1));
  const replace = (isInB2: boolean) => {
    if (t1.length >= 1 && ((isInB2 && t1.length === p) || t1.length > p)) moveLru(t1, b1);
    else moveLru(t2, b2);
  };
  for (const x of trace) {
    const list = [t1, t2].find((one) => one.includes(x));
    if (list) {
      drop(list, x);
      t2.push(x);
      continue;
    }
    missed.push(x);
    if (b1.includes(x)) {
      p = Math.min(c, p + Math.max(b2.length / b1.length, 1));
      replace(false);
      drop(b1, x);
      t2.push(x);
    } else if (b2.includes(x)) {
      p = Math.max(0, p - Math.max(b1.length / b2.length, 1));
      replace(true);
      drop(b2, x);
      t2.push(x);
    } else {
      if (t1.length + b1.length === c) {
        if (t1.length < c) {
          b1.shift();
          replace(false);
        } else t1.shift();
      } else if (t1.length + t2.length + b1.length + b2.length >= c) {
        if (t1.length + t2.length + b1.length + b2.length === 2 * c) b2.shift();
        replace(false);
      }
      t1.push(x);
    }
  }
  return missed;
}
