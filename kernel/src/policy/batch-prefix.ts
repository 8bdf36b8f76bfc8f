/**
 * Batch-prefix: evicts rarely and in bulk, for every reclaim breaks the cached prefix. Which pages go is LRU's choice;
 * how many, the price of cached tokens.
 *
 * A reclaim rewrites summary and queue: the S tokens that stay are billed once as written (w) instead of as read from the
 * cache (r); prices relative to plain input. The d tokens that leave save r·d at each request, until g tokens a request
 * have filled their room again, d/g requests later. A batch has paid for its reclaim by then when
 *
 *   r·d · d/g  ≥  (w − r)·S,   S = Q − d,   that is   d² + ρ·g·d − ρ·g·Q  ≥  0   with   ρ = (w − r)/r,
 *
 *   d  =  (√((ρ·g)² + 4·ρ·g·Q) − ρ·g) / 2,
 *
 * Q being the tokens of all pages. So d is what goes, if the release is less. The dearer the cache's misses against its
 * hits, and the faster the queue grows, the larger the batch: with ρ = 24 and 200 tokens a request it is half of 8,000
 * tokens and a fifth of 100,000. Growth is measured since the last flush; while it is unknown, the release alone goes.
 * At the default target, half of the budget, the release is mostly more than that already. It matters where `targetShare`
 * is high, so that more stays in view: at .97, two hundred turns cost a third less than under LRU (`npm run bench`).
 * Source: ours, from the prices of prompt caching; TokenPilot (arXiv 2606.17016) evicts on a batch schedule to the same end.
 */
import type { Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { PageList } from './page-list.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { sizedRows, snapshotsOf, whole } from './snapshot.js';

export interface BatchPrefixOptions {
  /** Price of a token that is read from the provider's cache, plain input being 1. Default .05. */
  readonly cached?: number;
  /** Price of a token that is written to it. Default 1.25. */
  readonly written?: number;
}

const snapshots = snapshotsOf(
  'batch-prefix',
  z.strictObject({
    grown: whole,
    since: whole.nullable(),
    pages: sizedRows,
  }),
);

export function batchPrefix({ cached = 0.05, written = 1.25 }: BatchPrefixOptions = {}): PagingPolicy {
  const pages = new PageList();
  const ratio = (written - cached) / cached;
  /** Tokens that came since the last flush; the step at which that was, unknown after a rebuild; that of the last ask. */
  let [grown, since, step]: [Tokens, number | null, number] = [0, null, 0];
  const batch = (now: number): Tokens => {
    const requests = since === null ? 0 : now - since;
    return requests > 0 ? payingBatch(ratio, grown / requests, pages.tokens) : 0;
  };
  return {
    id: 'batch-prefix',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => {
      if (page.id === 1) since = 0;
      pages.append(page);
      grown += page.tokens;
    },
    onNeed: (needs) => {
      for (const { id } of needs) pages.moveToEnd(id);
    },
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask: VictimQuery) => {
      step = ask.step;
      return pages.take({ ...ask, release: Math.max(ask.release, batch(ask.step)) });
    },
    onBoundary: (kind) => {
      if (kind === 'flush') [grown, since] = [0, step];
    },
    snapshot: (maxBytes) => snapshots.write({ grown, since, pages: pages.rows() }, maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (!known) return false;
      ({ grown, since } = known);
      pages.load(known.pages);
      return true;
    },
  };
}

/** The least batch that pays for its reclaim before its room is filled again. */
export function payingBatch(ratio: number, growth: number, queue: Tokens): Tokens {
  const rate = ratio * growth;
  return rate <= 0 ? 0 : Math.ceil((Math.sqrt(rate * rate + 4 * rate * queue) - rate) / 2);
}
