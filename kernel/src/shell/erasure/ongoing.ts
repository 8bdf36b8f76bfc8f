/** What is left of an erasure once main context is clean: it waits for the archival index, and tells what came of it. */
import type { Pid } from '@pagefault/contracts';
import { type Carried, carryOut, type Erasing } from './carry-out.js';
import type { Environment } from '../environment.js';
import type { ProcessRecord } from '../storage.js';
import { type ErasureJob, jobKey } from './job.js';
import { placesElsewhere } from './recordings.js';
import { countsOf, type ErasureReport, NOTHING_QUOTES } from './report.js';
import { settleVectors } from './vectors.js';

/** An erasure that a crash or an index that failed had left open. */
export interface OngoingErasure {
  readonly carried: Carried;
  readonly report: Promise<ErasureReport>;
}

/** When the process is attached. Main context is clean when it resolves; the rest goes on in the background. */
export async function goOn(
  erasing: Erasing,
  jobs: readonly ErasureJob[],
): Promise<readonly OngoingErasure[]> {
  const { environment, record, runner } = erasing;
  const all: OngoingErasure[] = [];
  for (const job of jobs) {
    const carried = await runner.exclusively((signal) => carryOut(erasing, job, signal));
    const report = conclude(environment, record, carried);
    report.catch((error: unknown) => {
      environment.services.bus.raise('erasure-failed', { pid: record.pid, error });
    });
    all.push({ carried, report });
  }
  return all;
}

/** Waits for what lies outside of the store; the job's row goes when nothing is left. Errors: `E_STORAGE`. */
export async function conclude(
  environment: Environment,
  record: ProcessRecord,
  carried: Carried,
): Promise<ErasureReport> {
  const { bus } = environment.services;
  const { job, recordings, problem } = carried;
  const { plan } = job;
  const { pid, name } = record;
  const open = [
    problem,
    await settleVectors(environment, pid, [...plan.indexed, ...(plan.followers ?? [])]),
  ].filter((one) => one !== undefined);
  if (open.length === 0 && carried.isLeft) await endJob(environment, pid, job);
  const report: ErasureReport = {
    pid,
    name,
    whole: false,
    done: open.length === 0,
    open,
    erased: countsOf(plan),
    summary: carried.summary,
    recordings: { deleted: recordings, elsewhere: await placesElsewhere(environment, pid) },
    quotedBy: { ...NOTHING_QUOTES, ...plan.found.quotedBy }, // Jobs of before told less.
    sharedBlocks: [],
    atAncestors: plan.found.atAncestors,
    descendants: [],
  };
  bus.raise('erased', { report });
  return report;
}

async function endJob(
  { services, secondLooks }: Environment,
  pid: Pid,
  { id, plan }: Carried['job'],
): Promise<void> {
  const entries = [...plan.indexed, ...(plan.followers ?? [])];
  const puts = entries.length > 0 ? secondLooks.ask(id, { entries }) : [];
  await services.recall.commit({ pid, puts, deletes: [jobKey({ id })] });
  secondLooks.asked(puts);
}
