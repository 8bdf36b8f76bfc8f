import type { PageId, PageView } from '@pagefault/contracts';
import type { PagingPolicy } from '@pagefault/kernel';

/** What is known of a page in the request. */
export interface SeenPage {
  readonly id: PageId;
  readonly tokens: number;
  /** User turns that had begun when it came. */
  readonly turn: number;
  readonly hasResults: boolean;
  readonly failed: boolean;
  /** It had left before, and was read in again. */
  readonly cameBack: boolean;
}

/**
 * Gives up the pages that `stale` picks, oldest first, without being asked for anything; asked, it goes by `base`. For the
 * lab: the kernel asks only when something must go.
 */
export function masking(
  id: string,
  base: PagingPolicy,
  stale: (pages: readonly SeenPage[], turn: number) => readonly SeenPage[],
): PagingPolicy {
  const pages = new Map<PageId, SeenPage>();
  const left = new Set<PageId>();
  let turn = 0;
  return {
    id,
    version: 1,
    configure: (limits) => base.configure(limits),
    onBirth: (view) => {
      if (view.kind === 'user' && !left.has(view.id)) turn++;
      pages.set(view.id, { ...seen(view), turn, cameBack: left.has(view.id) });
      base.onBirth(view);
    },
    onNeed: (needs, step) => base.onNeed(needs, step),
    onResidency: (page, now, cause) => {
      if (now === 'evicted') {
        pages.delete(page);
        left.add(page);
      }
      base.onResidency(page, now, cause);
    },
    victims: (ask) =>
      ask.release > 0 ? base.victims(ask) : stale([...pages.values()], turn).map((page) => page.id),
    onBoundary: (kind) => base.onBoundary?.(kind),
    snapshot: () => new Uint8Array(),
    restore: () => false,
  };
}

function seen({ id, kind, tokens, firstSeq, lastSeq, failed = false }: PageView) {
  return { id, tokens, hasResults: kind === 'assistant' && lastSeq > firstSeq, failed };
}

/** Results but for the newest `kept` of them. */
export function resultsBefore(pages: readonly SeenPage[], kept: number): readonly SeenPage[] {
  const results = pages.filter(({ hasResults }) => hasResults);
  return results.slice(0, Math.max(0, results.length - kept));
}
