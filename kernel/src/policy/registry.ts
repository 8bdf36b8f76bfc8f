import { PagefaultError } from '@pagefault/contracts';
import { fifo } from './fifo.js';
import { lru } from './lru.js';
import type { PolicyFactory } from './policy.js';

export const POLICIES = { fifo, lru } as const satisfies Record<string, PolicyFactory>;

export type PolicyName = keyof typeof POLICIES;

/** Errors: `E_CONFIG` for an unknown name, listing the known ones. */
export function findPolicy(name: string): PolicyFactory {
  const found = Object.entries(POLICIES).find(([known]) => known === name);
  if (found) return found[1];
  throw new PagefaultError('E_CONFIG', `policy "${name}" is not known`, {
    hint: `known policies: ${Object.keys(POLICIES).join(', ')}`,
  });
}
