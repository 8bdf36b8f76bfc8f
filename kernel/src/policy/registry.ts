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
import type { PagingPolicy, PolicyFactory } from './policy.js';
import { random } from './random.js';
import { recencyImportanceRelevance } from './recency-importance-relevance.js';
import { s3Fifo } from './s3-fifo.js';
import {
  count,
  factor,
  nameWith,
  type PolicySetting,
  type PolicySettings,
  readPolicyName,
  readSettings,
  share,
} from './settings.js';
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

type Options<Make> = Make extends (options?: infer Given) => unknown ? Given & object : never;

/** What can be set of each; those that are not named have no settings. Kept to the options of the factories by the compiler. */
export const POLICY_SETTINGS: Readonly<Partial<Record<PolicyName, PolicySettings>>> = {
  random: { seed: count(1, 0, 2 ** 32 - 1) },
  '2q': { recentShare: share(0.25), ghostShare: share(0.5) },
  's3-fifo': { smallShare: share(0.1) },
  arc: { ghosts: count(2_048) },
  lirs: { queueShare: share(0.01), leastQueue: count(2), ghosts: count(2_048) },
  'w-tinylfu': { windowShare: share(0.01), protectedShare: share(0.8), counters: count(1_024, 1, 2 ** 20) },
  'recency-importance-relevance': {
    decay: share(0.995),
    recency: factor(1),
    importance: factor(1),
    relevance: factor(1),
  },
  'age-size': { age: count(4), least: count(125) },
  'fault-pin': { age: count(4), least: count(125), halfLife: count(8, 1) },
  'clear-tool-results': { keep: count(3) },
  'sinks-window': { sinks: count(4) },
  'batch-prefix': { cached: factor(0.05), written: factor(1.25) },
  'need-density': {
    cached: factor(0.05),
    written: factor(1.25),
    asking: factor(500),
    births: count(500, 1),
    weight: factor(4),
  },
} satisfies {
  readonly [Name in PolicyName]?: Record<keyof Options<(typeof POLICIES)[Name]>, PolicySetting>;
};

/**
 * One that ships, with its settings if the name has any, as in `2q:recentShare=.1`, or one of `others` by its id.
 * Errors: `E_CONFIG` for an unknown name or setting, listing the known ones, and for a value out of its limits.
 */
export function findPolicy(name: string, others: readonly PolicyFactory[] = []): PolicyFactory {
  const named = readPolicyName(name);
  const shipped = Object.entries(POLICIES).find(([known]) => known === named.name);
  if (shipped) return withSettings(shipped[0] as PolicyName, named.settings);
  const found = others.find((make) => make().id === name);
  if (found) return found;
  throw new PagefaultError('E_CONFIG', `policy "${name}" is not known`, {
    hint: `known policies: ${Object.keys(POLICIES).join(', ')}; or the path of a module of yours, such as ./my-policy.mjs`,
  });
}

function withSettings(name: PolicyName, given: readonly string[]): PolicyFactory {
  const settings = readSettings({ name, settings: given }, POLICY_SETTINGS[name] ?? {});
  const make: (options: object) => PagingPolicy = POLICIES[name];
  if (Object.keys(settings).length === 0) return POLICIES[name];
  return () => Object.defineProperty(make(settings), 'id', { value: nameWith(name, settings) });
}
