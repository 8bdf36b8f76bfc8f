/** What paging policies cost when the queue holds thousands of pages: at a birth, when asked, and when kept. */
import type { Message, PageId } from '@pagefault/contracts';
import { type PagingPolicy, POLICIES, residentViews } from '@pagefault/kernel';

const PAGES = 3_000;
const RELEASE = 60_000;
const TOKENS = 40;

export interface PolicyCost {
  readonly policy: string;
  /** Microseconds a page. */
  readonly birth: number;
  /** Milliseconds, for victims of half the queue. */
  readonly ask: number;
  /** Bytes a page. */
  readonly snapshot: number;
}

export interface ViewCost {
  /** Characters of a page. */
  readonly characters: number;
  /** Microseconds a page, for what the kernel says of it to any policy. */
  readonly view: number;
}

export function measureViews(): ViewCost[] {
  return [12, 120, 800].map((words) => {
    const pages = pagesOf(words);
    const view = (spent(() => residentViews({ pages })) * 1_000) / PAGES;
    return { characters: sentence(PAGES, words).length, view };
  });
}

export function measurePolicies(): PolicyCost[] {
  const views = residentViews({ pages: pagesOf(24) });
  const focus = views.at(-1)?.terms ?? [];
  return Object.entries(POLICIES).map(([name, make]) => {
    const filled = () => {
      const policy: PagingPolicy = make();
      policy.configure({ capacity: PAGES * TOKENS, unit: 'tokens' });
      for (const view of views) policy.onBirth(view);
      return policy;
    };
    const birth = (spent(filled) * 1_000) / PAGES;
    const policy = filled();
    for (let id = 7; id < PAGES; id += 7) policy.onNeed([{ id, why: 'search-hit' }], id);
    const query = { release: RELEASE, isEligible: (id: PageId) => id < PAGES - 10, focus, step: PAGES };
    const ask = spent(() => policy.victims(query));
    return { policy: name, birth, ask, snapshot: policy.snapshot(Number.MAX_SAFE_INTEGER).length / PAGES };
  });
}

/** Milliseconds of the processor, the least of five runs: nothing waits here, so another program's share is only noise. */
function spent(work: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    work();
    return process.cpuUsage(start).user / 1_000;
  });
  return Math.min(...times);
}

type Pages = Parameters<typeof residentViews>[0]['pages'];

function pagesOf(words: number): Pages {
  return Array.from({ length: PAGES }, (_, index) => {
    const seq = index + 1;
    const parts = [{ type: 'text', text: sentence(seq, words) }] as const;
    const message: Message = { id: `m${seq}`, role: 'user', at: 0, parts };
    return {
      id: seq,
      kind: 'user',
      sealed: true,
      tokens: TOKENS,
      messages: [{ seq, message, tokens: TOKENS }],
    };
  });
}

const WORDS =
  'alpaca Cork barn winter vet wool market neighbour fence lorry rain hay stall day gram fleece'.split(' ');

function sentence(n: number, words: number): string {
  return `${Array.from({ length: words }, (_, i) => WORDS[(n * 7 + i * i) % WORDS.length]).join(' ')} number ${n}.`;
}
