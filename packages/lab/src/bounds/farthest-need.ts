/**
 * Knows the needs to come: the page goes that is needed farthest ahead, first of all those that are needed no more. What a
 * policy faults more than this is what it does not know. With pages of one size that leave one by one it is MIN; with sizes
 * it is a good guess and no bound, which the rank by distance times size sometimes betters.
 * Source: Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer (IBM Systems Journal 1966).
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import type { PagingPolicy } from '@pagefault/kernel';
import type { PagingTrace } from '../trace/paging-trace.js';

export interface FarthestNeedOptions {
  /** Default `distance`. */
  readonly rank?: 'distance' | 'distance × size';
}

/** For this trace alone, and for one run. It is none that a kernel could have, so it has no snapshot. */
export function farthestNeed(
  trace: PagingTrace,
  { rank = 'distance' }: FarthestNeedOptions = {},
): PagingPolicy {
  const needs = needsByPage(trace);
  const residents = new Map<PageId, Tokens>();
  const distance = (page: PageId, step: number) => firstAfter(needs.get(page) ?? [], step) - step;
  const key = (page: PageId, tokens: Tokens, step: number) =>
    distance(page, step) * (rank === 'distance' ? 1 : tokens);
  return {
    id: rank === 'distance' ? 'farthest-need' : 'farthest-need-by-size',
    version: 1,
    configure: () => undefined,
    onBirth: ({ id, tokens }) => void residents.set(id, tokens),
    onNeed: () => undefined,
    onResidency: (id, now) => {
      if (now === 'evicted') residents.delete(id);
    },
    victims: (ask) => {
      const all = [...residents].filter(([id]) => ask.isEligible(id));
      const keyed = all.map(([id, tokens]) => ({ id, tokens, key: key(id, tokens, ask.step) }));
      // Of pages that are needed no more the largest first: fewer go.
      const sorted = keyed.toSorted((a, b) => (a.key === b.key ? b.tokens - a.tokens : b.key - a.key));
      let released = 0;
      const isNeeded = ({ id, tokens }: { id: PageId; tokens: Tokens }) => {
        if (released >= ask.release) return false;
        released += ask.tokensOf?.(id) ?? tokens;
        return true;
      };
      return sorted.filter(isNeeded).map(({ id }) => id);
    },
    snapshot: () => new Uint8Array(),
    restore: () => false,
  };
}

/** Of ascending steps; `Infinity` when there is none. */
function firstAfter(steps: readonly number[], step: number): number {
  let [from, to] = [0, steps.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((steps[middle] ?? Infinity) > step) to = middle;
    else from = middle + 1;
  }
  return steps[from] ?? Infinity;
}

/** The steps at which each page is needed, ascending. */
function needsByPage({ needs, needStart, times }: PagingTrace): ReadonlyMap<PageId, readonly number[]> {
  const byPage = new Map<PageId, number[]>();
  for (let step = 0; step < times.length; step++) {
    for (let at = needStart[step] ?? 0; at < (needStart[step + 1] ?? 0); at++) {
      const page = needs[at] ?? 0;
      const steps = byPage.get(page);
      if (steps) steps.push(step);
      else byPage.set(page, [step]);
    }
  }
  return byPage;
}
