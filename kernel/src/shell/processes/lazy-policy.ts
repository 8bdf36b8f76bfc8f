/**
 * A policy that is made up to date only when it is asked for something: what it is told meanwhile waits in a list. For a
 * turn that is thrown away and mostly evicts nothing: going through thousands of residents would be its longest part.
 */
import type { PagingPolicy } from '../../policy/policy.js';

/** `prepare` is called once, before all that waits. The list lives no longer than the turn. */
export function lazyPolicy(policy: PagingPolicy, prepare: (policy: PagingPolicy) => void): PagingPolicy {
  let waiting: (() => void)[] | undefined = [];
  const told = (work: () => void): void => {
    if (waiting) waiting.push(work);
    else work();
  };
  const ready = (): PagingPolicy => {
    const late = waiting ?? [];
    if (waiting) prepare(policy);
    waiting = undefined;
    for (const work of late) work();
    return policy;
  };
  return {
    id: policy.id,
    version: policy.version,
    configure: (limits) => told(() => policy.configure(limits)),
    onBirth: (page) => told(() => policy.onBirth(page)),
    onNeed: (needs, step) => told(() => policy.onNeed(needs, step)),
    onResidency: (id, now, cause) => told(() => policy.onResidency(id, now, cause)),
    onBoundary: (kind) => told(() => policy.onBoundary?.(kind)),
    victims: (ask) => ready().victims(ask),
    snapshot: (maxBytes) => ready().snapshot(maxBytes),
    restore: (bytes, version) => ready().restore(bytes, version),
  };
}
