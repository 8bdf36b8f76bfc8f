/** How pages are paged in a simulation, beside the policy that names who goes. Each is an axis of its own. */
import { PagefaultError, type Tokens } from '@pagefault/contracts';
import { CACHE_RULES, type CacheRules } from '../cost/prompt-cache.js';

export interface PagingSetup {
  /** The most a request may hold. */
  readonly budget: Tokens;
  /** Where a session's context ends. Default `session`. */
  readonly contexts: Contexts;
  /** A reclaim begins when the next request would hold more than this share of the budget. Default 1, MemGPT's. */
  readonly flushShare: number;
  /** It brings the request down to this share. Default .5, MemGPT's. */
  readonly targetShare: number;
  /**
   * When the provider's cache has gone cold since the last request, a reclaim down to the target costs no prefix; it is made
   * if the request would hold more than this share. Default 1: no such reclaim.
   */
  readonly coldShare: number;
  readonly remains: Remains;
  /** Pages that are masked before they must go. Default: none are. */
  readonly masking?: Masking;
  /** Default `tail`. */
  readonly placement: Placement;
  /** What is read in before it is missed. Default: nothing. */
  readonly prefetch: Prefetch;
  /** Whether a fault costs a call of the model, which sees that something is missing and asks for it. Default true. */
  readonly callPerFault: boolean;
  /** Tokens that it says to do so. Default 100. */
  readonly faultOutput: Tokens;
  /** The part of faults in which the page is found. An assumption. Default 1. */
  readonly recall: number;
  /** The part of faults that are noticed where nothing tells that a page was there. An assumption. Default 1. */
  readonly notice: number;
  /**
   * The part of needs of pages that left into a summary that the summary meets, once for each rewriting since. An assumption.
   * Default 0, for want of a measurement.
   */
  readonly retention: number;
  readonly cache: CacheRules;
  /** Requests above this many tokens are counted apart, for prices in two bands. Default: none are. */
  readonly longAbove: Tokens;
  /** For what is drawn: recall, notice and retention. Default 1. */
  readonly seed: number;
}

/**
 * `session`: each session of a trace has a context of its own, which begins empty, with a policy that knows nothing; what is
 * needed of an earlier one is away. `one`: sessions follow one another in one context, as they do where an agent goes on with
 * the same process.
 */
export const CONTEXTS = ['session', 'one'] as const;
export type Contexts = (typeof CONTEXTS)[number];

/**
 * Where a page that is read in again comes to stand: at the tail of the request, as a new reading; where it stood at first,
 * in the place of its tombstone if there is one; or in a slot at the front, behind the pinned pages, the summary and what came
 * there before it. But for the tail everything behind it is written anew.
 */
export const PLACEMENTS = ['tail', 'original', 'front'] as const;
export type Placement = (typeof PLACEMENTS)[number];

/**
 * With a page that is read in: those born nearest to it (`neighbour`), in its session, or readings of the same thing (`object`).
 * Before a step's needs are met: the first of the trace's rank list (`ranked`), or of what the step will need (`oracle`), which
 * no system knows. Of the first `pages` of them those come in that are away, each as long as the request keeps within the
 * flush share, so that no prefetch brings about a reclaim of its step, or an overflow.
 */
export const PREFETCHES = ['none', 'neighbour', 'session', 'object', 'ranked', 'oracle'] as const;
export type Prefetch =
  | { readonly kind: 'none' }
  | { readonly kind: Exclude<(typeof PREFETCHES)[number], 'none'>; readonly pages: number };

/** What is left of pages that leave. */
export type Remains =
  | { readonly kind: 'nothing' }
  /** A handle in its place, of so many tokens; pages that are not larger stay whole. A need of it is a soft fault. */
  | { readonly kind: 'tombstone'; readonly tokens: Tokens }
  /**
   * One summary of all that left, before the queue, rewritten at each reclaim by a call of the model that reads what
   * leaves, and the summary before. It has so many tokens a token that left, `most` at most.
   */
  | { readonly kind: 'summary'; readonly ratio: number; readonly most: Tokens };

/**
 * Before a call, whether or not the budget is reached, what the policy gives up without being asked for anything (`victims`
 * with a release of 0) makes room for tombstones. A need of such a page is a soft fault, until a summary takes its
 * tombstone in. Of the policies that ship `compaction`, `batch-prefix`
 * and `need-density` give up pages unasked.
 */
export interface Masking {
  /** Only when the request would hold more than this share of the budget; 0: at every call. */
  readonly above: number;
  /** Of a tombstone; pages that are not larger stay. */
  readonly tokens: Tokens;
}

export const PAGING_DEFAULTS: Omit<PagingSetup, 'budget'> = {
  contexts: 'session',
  flushShare: 1,
  targetShare: 0.5,
  coldShare: 1,
  remains: { kind: 'nothing' },
  placement: 'tail',
  prefetch: { kind: 'none' },
  callPerFault: true,
  faultOutput: 100,
  recall: 1,
  notice: 1,
  retention: 0,
  cache: CACHE_RULES,
  longAbove: Infinity,
  seed: 1,
};

/** Errors: `E_CONFIG` for a share that is none, naming it. */
export function pagingSetup(
  given: Partial<Omit<PagingSetup, 'budget'>> & { readonly budget: Tokens },
): PagingSetup {
  const setup = { ...PAGING_DEFAULTS, ...given };
  for (const name of SHARES)
    if (!isShare(setup[name])) throw refused(name, setup[name], 'a number from 0 to 1');
  if (!(setup.budget >= 1)) throw refused('budget', setup.budget, 'a number of tokens from 1 on');
  if (setup.targetShare > setup.flushShare)
    throw refused('targetShare', setup.targetShare, `no more than flushShare, ${setup.flushShare}`);
  checkRemains(setup);
  const { prefetch } = setup;
  if (prefetch.kind !== 'none' && !(Number.isInteger(prefetch.pages) && prefetch.pages > 0))
    throw refused('number of pages to prefetch', prefetch.pages, 'a whole number from 1 on');
  return setup;
}

/** So many tokens: the flush share, or the cold share with a cache that has gone cold anyway. */
export function reclaimAbove({ budget, coldShare, flushShare }: PagingSetup, isCold: boolean): Tokens {
  return budget * (isCold ? Math.min(coldShare, flushShare) : flushShare);
}

const SHARES = ['flushShare', 'targetShare', 'coldShare', 'recall', 'notice', 'retention'] as const;
const isShare = (value: number) => value >= 0 && value <= 1;

function checkRemains({ remains, masking }: PagingSetup): void {
  const sizes = [
    remains.kind === 'tombstone' && (['tokens of a tombstone', remains.tokens] as const),
    remains.kind === 'summary' && (['most tokens of a summary', remains.most] as const),
    masking && (['tokens of a tombstone', masking.tokens] as const),
  ];
  for (const size of sizes)
    if (size && !(size[1] >= 0)) throw refused(size[0], size[1], 'a number from 0 on');
  if (remains.kind === 'summary' && !isShare(remains.ratio))
    throw refused('ratio of a summary', remains.ratio, 'a number from 0 to 1');
  if (masking && !isShare(masking.above))
    throw refused('share above which pages are masked', masking.above, 'a number from 0 to 1');
}

function refused(name: string, value: number, wanted: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `${name} is ${value}; it must be ${wanted}`);
}
