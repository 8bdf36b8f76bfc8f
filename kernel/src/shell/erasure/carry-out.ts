/**
 * Carries out an erasure in one process, between two turns and under its lease. In this order, each step idempotent, so
 * that it can be begun again at any of them:
 *   1. the job is a row, and the process's forks have one too: they copied what was in view
 *   2. the log: entries, documents, postings
 *   3. the summary, made again from what is left; the recordings
 *   4. main context, other rows, and what the policy knows: one commit, which also asks the outbox to remove the vectors
 *   5. the vectors; then the job's row goes
 */
import type { RecallDriver } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { NamedBill } from '../../core/bills.js';
import type { Erased } from '../../core/erased.js';
import type { Summary } from '../../core/state.js';
import type { PagingPolicy } from '../../policy/policy.js';
import type { Environment } from '../environment.js';
import { childrenOf } from '../processes/family.js';
import { policyRows, savePolicy } from '../processes/policy-state.js';
import type { Runner } from '../runner.js';
import { deadLetterRow, outboxPut, outboxRow } from '../search/outbox-rows.js';
import { lineageOf, type ProcessRecord } from '../storage.js';
import { withoutAnswers } from './deliveries.js';
import {
  type ErasureJob,
  jobKey,
  jobPut,
  NOTHING_INHERITED,
  type Plan,
  placesOf,
  positionsOf,
} from './job.js';
import { inheritedBy } from './inheritance.js';
import { planInherited } from './plan.js';
import { type ErasedRecordings, eraseRecordings } from './recordings.js';
import { remakeSummary } from './remake-summary.js';
import type { ErasureReport } from './report.js';
import { mayHaveVectors } from './vectors.js';

/** An attached process in the hands of an erasure. */
export interface Erasing {
  readonly environment: Environment;
  readonly record: ProcessRecord;
  readonly runner: Runner;
  readonly policy: PagingPolicy;
  readonly fence: number;
}

/** What is done of a job, and what is left. */
export interface Carried {
  readonly job: ErasureJob & { readonly plan: Plan };
  readonly recordings: readonly string[];
  readonly summary: ErasureReport['summary'];
  /** The job's row is still there. */
  readonly isLeft: boolean;
  /** What could not be deleted, and why. */
  readonly problem?: string | undefined;
  /** Forks that have the job now. */
  readonly children: readonly ProcessRecord[];
}

/**
 * Only within `runner.exclusively`. When it fails the job stays, and the process must be attached anew: what is in memory
 * may still hold what the log does not. Errors: `E_ABORTED`, `E_LEASE_LOST`, `E_STORAGE`.
 */
export async function carryOut(erasing: Erasing, given: ErasureJob, signal: AbortSignal): Promise<Carried> {
  const { environment, record, runner } = erasing;
  try {
    const job = await planned(erasing, given);
    const children = await tellChildren(environment.services.recall, record, job);
    if (job.repaired) return { ...(await retryRecordings(erasing, job)), children };
    await eraseFromLog(erasing, job.plan);
    return { ...(await repair(erasing, job, signal)), children };
  } catch (error) {
    runner.giveUp(error);
    throw error;
  }
}

async function planned(
  { environment, record, runner, fence }: Erasing,
  job: ErasureJob,
): Promise<Carried['job']> {
  const { plan } = job;
  if (plan) return { ...job, plan };
  const { recall } = environment.services;
  const context = { recall, record, state: runner.state };
  const complete = { ...job, plan: await planInherited(context, job.inherited ?? NOTHING_INHERITED) };
  await recall.commit({ pid: record.pid, fence, puts: [jobPut(complete)] });
  return complete;
}

/** A child has the row before anything goes, and keeps it until it is done, whatever becomes of this process. */
async function tellChildren(
  recall: RecallDriver,
  record: ProcessRecord,
  job: Carried['job'],
): Promise<readonly ProcessRecord[]> {
  const told: ProcessRecord[] = [];
  for (const child of await childrenOf(recall, record.pid)) {
    const inherited = inheritedBy(child, job.plan);
    if (!inherited) continue;
    const { id, at } = job;
    const [put, expect] = [jobPut({ id, at, inherited }), [{ ...jobKey(job), version: 0 }]];
    await recall.commit({ pid: child.pid, puts: [put], expect }).catch((error: unknown) => {
      // It has it already.
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    });
    told.push(child);
  }
  return told;
}

async function eraseFromLog({ environment, record, fence }: Erasing, { own, passages }: Plan): Promise<void> {
  if (own.length === 0 && passages.length === 0) return;
  await environment.services.recall.erase({
    pid: record.pid,
    seqs: own.map(({ seq }) => seq),
    passages: passages.map(({ ordinal }) => ordinal),
    fence,
  });
}

async function repair(
  erasing: Erasing,
  job: Carried['job'],
  signal: AbortSignal,
): Promise<Omit<Carried, 'children'>> {
  const { environment, record, runner, policy, fence } = erasing;
  const { services } = environment;
  const { plan } = job;
  const { summary, bills = [] } = plan.remakesSummary
    ? await remakeSummary(services, runner, lineageOf(record), positionsOf([job]), signal)
    : { summary: undefined };
  let recordings: ErasedRecordings = { deleted: [] };
  let isLeft = false;
  await runner.betweenRecordings(async () => {
    recordings = await eraseRecordings(environment, record.pid);
    const { problem } = recordings;
    const done = { ...job, repaired: true, ...(problem !== undefined && { recordingsLeft: true }) };
    const wantsRemoval = plan.indexed.length > 0 && (await mayHaveVectors(environment, record.pid));
    isLeft = wantsRemoval || problem !== undefined;
    return toEvent(erasing, done, { summary, bills, wantsRemoval, isLeft });
  });
  await savePolicy(services.recall, record.pid, policy, runner.state, fence);
  const { deleted, problem } = recordings;
  return { job, recordings: deleted, problem, isLeft, summary: fateOf(plan, runner, summary) };
}

function fateOf(plan: Plan, { state }: Runner, made?: Summary | null): ErasureReport['summary'] {
  if (plan.remakesSummary) return made === null ? 'gone' : 'made-again';
  return state.summary ? 'kept' : 'none';
}

interface Made {
  readonly summary: Summary | null | undefined;
  readonly bills: readonly NamedBill[];
  /** The outbox shall have the vectors removed. */
  readonly wantsRemoval: boolean;
  readonly isLeft: boolean;
}

async function toEvent(
  { environment, record }: Erasing,
  job: Carried['job'],
  { summary, bills, wantsRemoval, isLeft }: Made,
): Promise<Erased> {
  const { recall, clock } = environment.services;
  const { plan } = job;
  const { pid } = record;
  const places = placesOf(job);
  return {
    type: 'erased',
    at: clock.now(),
    seqs: places.map(({ seq }) => seq),
    pages: [...new Set(places.map(({ page }) => page))],
    ...(summary !== undefined && { summary }),
    ...(bills.length > 0 && { bills }),
    speakers: plan.speakers,
    versions: plan.versions,
    puts: [
      ...(await withoutAnswers({ recall, record }, plan.answers)),
      ...(wantsRemoval ? [...plan.indexed, ...(plan.followers ?? [])].map(outboxPut) : []),
      ...(isLeft ? [jobPut(job)] : []),
    ],
    deletes: [
      ...plan.deletes,
      // What other policies once knew of the pages; the one in use is saved right after.
      ...(await policyRows(recall, pid)),
      ...(wantsRemoval ? [] : plan.indexed.flatMap((entry) => [outboxRow(entry), deadLetterRow(entry)])),
      ...(isLeft ? [] : [jobKey(job)]),
    ],
  };
}

async function retryRecordings(
  { environment, record, runner }: Erasing,
  job: Carried['job'],
): Promise<Omit<Carried, 'children'>> {
  let recordings: ErasedRecordings = { deleted: [] };
  if (job.recordingsLeft) {
    await runner.betweenRecordings(async () => {
      recordings = await eraseRecordings(environment, record.pid);
      return undefined;
    });
  }
  const { deleted, problem } = recordings;
  return { job, recordings: deleted, problem, isLeft: true, summary: fateOf(job.plan, runner) };
}
