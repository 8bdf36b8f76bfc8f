import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { bit, pageId, rows, snapshotsOf, whole } from './snapshot.js';
import { takeEnough } from './victims.js';

/** What is known of a resident page to policies that go by what pages are, not by when they were needed. */
export interface RankedPage {
  readonly id: PageId;
  readonly tokens: Tokens;
  /** User turns that had begun when it came. */
  readonly turn: number;
  readonly hasResults: boolean;
  readonly failed: boolean;
}

/** Who goes first, of the pages in the order of their births; `turn` counts the user turns that have begun. */
export type Ranking = (pages: readonly RankedPage[], turn: number) => readonly RankedPage[];

/** `all`: what is ranked goes whole, however little must; else from its front, as much as is asked for. */
export function rankedPolicy(id: string, rank: Ranking, takes: 'enough' | 'all' = 'enough'): PagingPolicy {
  const snapshots = snapshotsOf(
    id,
    z.strictObject({ turn: whole, pages: rows(z.tuple([pageId, whole, whole, bit, bit])) }),
  );
  const pages = new Map<PageId, RankedPage>();
  let turn = 0;
  return {
    id,
    version: 1,
    configure: () => undefined,
    onBirth: (view) => {
      if (view.kind === 'user') turn++;
      if (!pages.has(view.id)) pages.set(view.id, rankedPage(view, turn));
    },
    onNeed: () => undefined,
    onResidency: (page, now) => {
      if (now === 'evicted') pages.delete(page);
    },
    victims: (ask: VictimQuery) => {
      const ranked = rank([...pages.values()], turn);
      return takeEnough(ranked, takes === 'all' ? { ...ask, release: Infinity } : ask);
    },
    snapshot: (maxBytes) => {
      const known = [...pages.values()].map((page) => rowOf(page));
      return snapshots.write({ turn, pages: known }, maxBytes);
    },
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (!known) return false;
      turn = known.turn;
      pages.clear();
      for (const [page, tokens, born, results, failed] of known.pages)
        pages.set(page, { id: page, tokens, turn: born, hasResults: results === 1, failed: failed === 1 });
      return true;
    },
  };
}

function rankedPage(
  { id, kind, tokens, firstSeq, lastSeq, failed = false }: PageView,
  turn: number,
): RankedPage {
  return { id, tokens, turn, hasResults: kind === 'assistant' && lastSeq > firstSeq, failed };
}

function rowOf({ id, tokens, turn, hasResults, failed }: RankedPage): [PageId, Tokens, number, 0 | 1, 0 | 1] {
  return [id, tokens, turn, hasResults ? 1 : 0, failed ? 1 : 0];
}

/** Those that the test holds for first, then the others, each in their order. */
export function first(pages: readonly RankedPage[], test: (page: RankedPage) => boolean): RankedPage[] {
  return [...pages.filter((page) => test(page)), ...pages.filter((page) => !test(page))];
}
