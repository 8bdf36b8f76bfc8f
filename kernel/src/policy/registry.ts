import { PagefaultError } from '@pagefault/contracts';
import { ageSize } from './age-size.js';
import { arc } from './arc.js';
import { batchPrefix } from './batch-prefix.js';
import { clearToolResults } from './clear-tool-results.js';
import { clock } from './clock.js';
import { compaction } from './compaction.js';
import { faultPin } from './fault-pin.js';
import { fifo } from './fifo.js';
import { lfu } from './lfu.js';
import { lirs } from './lirs.js';
import { lru } from './lru.js';
import { mru } from './mru.js';
import { needDensity } from './need-density.js';
import type { PolicyFactory } from './policy.js';
import { random } from './random.js';
import { recencyImportanceRelevance } from './recency-importance-relevance.js';
import { s3Fifo } from './s3-fifo.js';
import { sieve } from './sieve.js';
import { sinksWindow } from './sinks-window.js';
import { supersededFirst } from './superseded-first.js';
import { twoQueue } from './two-queue.js';
import { wTinyLfu } from './w-tiny-lfu.js';

/** By name, the paper's first. Each is made without options: with those of its source. */
export const POLICIES = {
  fifo,
  lru,
  mru,
  random,
  clock,
  sieve,
  lfu,
  '2q': twoQueue,
  's3-fifo': s3Fifo,
  arc,
  lirs,
  'w-tinylfu': wTinyLfu,
  'recency-importance-relevance': recencyImportanceRelevance,
  'age-size': ageSize,
  'fault-pin': faultPin,
  'clear-tool-results': clearToolResults,
  'sinks-window': sinksWindow,
  compaction,
  'superseded-first': supersededFirst,
  'batch-prefix': batchPrefix,
  'need-density': needDensity,
} as const satisfies Record<string, PolicyFactory>;

export type PolicyName = keyof typeof POLICIES;

/** One that ships, or one of `others` by its id. Errors: `E_CONFIG` for an unknown name, listing the known ones. */
export function findPolicy(name: string, others: readonly PolicyFactory[] = []): PolicyFactory {
  const shipped = Object.entries(POLICIES).find(([known]) => known === name)?.[1];
  const found = shipped ?? others.find((make) => make().id === name);
  if (found) return found;
  throw new PagefaultError('E_CONFIG', `policy "${name}" is not known`, {
    hint: `known policies: ${Object.keys(POLICIES).join(', ')}; or the path of a module of yours, such as ./my-policy.mjs`,
  });
}
