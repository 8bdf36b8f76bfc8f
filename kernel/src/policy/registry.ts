import { PagefaultError } from '@pagefault/contracts';
import { arc } from './arc.js';
import { batchPrefix } from './batch-prefix.js';
import { clock } from './clock.js';
import { faultPin } from './fault-pin.js';
import { fifo } from './fifo.js';
import { lru } from './lru.js';
import type { PolicyFactory } from './policy.js';
import { recencyImportanceRelevance } from './recency-importance-relevance.js';
import { sieve } from './sieve.js';
import { supersededFirst } from './superseded-first.js';

/** By name, the paper's first. Each is made without options: with those of its source. */
export const POLICIES = {
  fifo,
  lru,
  clock,
  sieve,
  arc,
  'recency-importance-relevance': recencyImportanceRelevance,
  'fault-pin': faultPin,
  'superseded-first': supersededFirst,
  'batch-prefix': batchPrefix,
} as const satisfies Record<string, PolicyFactory>;

export type PolicyName = keyof typeof POLICIES;

/** Errors: `E_CONFIG` for an unknown name, listing the known ones. */
export function findPolicy(name: string): PolicyFactory {
  const found = Object.entries(POLICIES).find(([known]) => known === name);
  if (found) return found[1];
  throw new PagefaultError('E_CONFIG', `policy "${name}" is not known`, {
    hint: `known policies: ${Object.keys(POLICIES).join(', ')}`,
  });
}
