import type { PageId, PageView } from '@pagefault/contracts';
import type { PagingPolicy } from '@pagefault/kernel';
import { namedBy } from './named.js';

/** Where a context begins in its trace. */
export interface Beginning {
  readonly page: PageId;
  readonly step: number;
  /** Pages of the whole trace. */
  readonly pages: number;
}

/**
 * A policy that is told of a context's pages and steps from 0 on, as a process numbers its own: what it does there is then the
 * same wherever in the trace the context stands. Pages of earlier contexts, which may be needed, come after all others.
 */
export function inContext(
  policy: PagingPolicy,
  { page: first, step: begun, pages }: Beginning,
): PagingPolicy {
  if (first === 0 && begun === 0) return policy;
  const told = (page: PageId) => (page < first ? page + pages - first : page - first);
  const meant = (id: PageId) => (id < pages - first ? id + first : id + first - pages);
  return {
    id: policy.id,
    version: policy.version,
    configure: (limits) => policy.configure(limits),
    onBirth: (page) => policy.onBirth(viewAs(page, told)),
    onNeed: (needs, step) =>
      policy.onNeed(
        needs.map(({ id, why }) => ({ id: told(id), why })),
        step - begun,
      ),
    onResidency: (id, now, cause) => policy.onResidency(told(id), now, cause),
    victims: (ask) => {
      const { tokensOf } = ask;
      const asked = {
        ...ask,
        isEligible: (id: PageId) => ask.isEligible(meant(id)),
        ...(tokensOf && { tokensOf: (id: PageId) => tokensOf(meant(id)) }),
        step: ask.step - begun,
      };
      return namedBy(policy, asked, pages).map(meant);
    },
    onBoundary: (kind) => policy.onBoundary?.(kind),
    snapshot: (maxBytes) => policy.snapshot(maxBytes),
    restore: (bytes, version) => policy.restore(bytes, version),
  };
}

function viewAs(view: PageView, told: (page: PageId) => PageId): PageView {
  const [id, supersedes] = [told(view.id), view.supersedes?.map(told)];
  const lastSeq = id + view.lastSeq - view.firstSeq;
  return { ...view, id, firstSeq: id, lastSeq, ...(supersedes && { supersedes }) };
}
