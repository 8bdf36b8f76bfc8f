import type { PagingPolicy } from '../policy/policy.js';

/**
 * Around a paging policy of somebody's own: one that throws is told once and then left out, and the pager, which checks
 * every victim anyway, takes the oldest pages. A turn never fails for a policy's sake.
 */
export function guardPolicy(policy: PagingPolicy, onFailure: (error: unknown) => void): PagingPolicy {
  let failed = false;
  const attempt = <T>(work: () => T, instead: T): T => {
    if (failed) return instead;
    try {
      return work();
    } catch (error) {
      failed = true;
      onFailure(error);
      return instead;
    }
  };
  return {
    id: policy.id,
    version: policy.version,
    configure: (limits) => attempt(() => policy.configure(limits), undefined),
    onBirth: (page) => attempt(() => policy.onBirth(page), undefined),
    onNeed: (needs, step) => attempt(() => policy.onNeed(needs, step), undefined),
    onResidency: (id, now, cause) => attempt(() => policy.onResidency(id, now, cause), undefined),
    onBoundary: (kind) => attempt(() => policy.onBoundary?.(kind), undefined),
    victims: (ask) => attempt(() => policy.victims(ask), []),
    snapshot: (maxBytes) => attempt(() => policy.snapshot(maxBytes), new Uint8Array()),
    restore: (bytes, version) => attempt(() => policy.restore(bytes, version), false),
  };
}
