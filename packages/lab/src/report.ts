import { findPolicy, type PolicyFactory } from '@pagefault/kernel';
import { type Eviction, recordedEvictions, replay, type ReplayReport } from './replay.js';
import { readTrace } from './recorded-trace.js';

export interface LabReport {
  /** The policy that was recorded, and what it evicted. */
  readonly recorded: { readonly policy: string; readonly evictions: readonly Eviction[] };
  readonly replays: readonly (ReplayReport & {
    /** Evicts the same pages at the same steps as the recorded run. */
    readonly sameAsRecorded: boolean;
  })[];
}

/** Replays a recording under each policy, by name or as one of your own. Errors: `E_RECORDING`, `E_CONFIG` for an unknown name. */
export async function compare(
  lines: AsyncIterable<string> | Iterable<string>,
  policies: readonly (string | PolicyFactory)[],
): Promise<LabReport> {
  const factories = policies.map((policy) => (typeof policy === 'string' ? findPolicy(policy) : policy));
  const trace = await readTrace(lines);
  const evictions = recordedEvictions(trace);
  const replays = factories.map((factory) => {
    const report = replay(trace, factory);
    return { ...report, sameAsRecorded: isSame(report.evictions, evictions) };
  });
  return { recorded: { policy: trace.policy, evictions }, replays };
}

function isSame(a: readonly Eviction[], b: readonly Eviction[]): boolean {
  return a.length === b.length && a.every(({ step, page }, i) => step === b[i]?.step && page === b[i]?.page);
}
