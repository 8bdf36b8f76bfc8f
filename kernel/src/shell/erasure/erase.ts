/**
 * Erases from one process what a caller names, and then from every fork of it: a fork reads the same log, and copied what
 * was in view when it was made.
 */
import type { Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { ActiveProcess } from '../processes/active-process.js';
import type { Environment } from '../environment.js';
import type { ProcessTable } from '../processes/process-table.js';
import type { ProcessRecord } from '../storage.js';
import { type Carried, carryOut, type Erasing } from './carry-out.js';
import { type ErasureJob, ERASURE_SPACE, jobPut, jobsOf } from './job.js';
import { conclude } from './ongoing.js';
import { planTarget } from './plan.js';
import type { ErasureReport } from './report.js';
import { type CheckedTarget, checkedTarget, type ErasureTarget } from './target.js';

/** Errors: `E_INVALID`, `E_NOT_FOUND`, `E_CONFLICT`; those of `carryOut`, and then it is gone on with later. */
export async function eraseFrom(
  environment: Environment,
  table: ProcessTable,
  record: ProcessRecord,
  target: ErasureTarget,
): Promise<ErasureReport> {
  const checked = checkedTarget(target);
  const { report, carried } = await table.workOn(record, async (active) => {
    const done = await eraseOwn(active, await active.attached(), checked);
    return { report: await conclude(environment, record, done), carried: done };
  });
  return withDescendants(table, report, carried);
}

/** Between two turns: planned, written down, carried out. */
async function eraseOwn(active: ActiveProcess, erasing: Erasing, target: CheckedTarget): Promise<Carried> {
  const { environment, record, runner, fence } = erasing;
  const { recall, clock, mintId } = environment.services;
  return runner.exclusively(async (signal) => {
    const plan = await planTarget({ recall, record, state: runner.state }, target);
    const job: ErasureJob = { id: mintId(), at: clock.now(), plan };
    await recall.commit({ pid: record.pid, fence, puts: [jobPut(job)] });
    const carried = await carryOut(erasing, job, signal);
    active.inbox.withdrawn(plan.waiting, neverServed());
    return carried;
  });
}

/** What was left open in a process, or handed down to it. */
export async function eraseOpen(active: ActiveProcess): Promise<readonly Done[]> {
  const attached = await active.attached();
  const { environment, record, runner } = attached;
  const done: Done[] = [];
  for (const { carried, report } of attached.erasures) done.push({ carried, report: await report });
  const later = await runner.exclusively(async (signal) => {
    const rows = await environment.services.recall.load(record.pid, [ERASURE_SPACE]);
    const known = new Set(attached.erasures.map(({ carried }) => carried.job.id));
    const all: Carried[] = [];
    for (const job of jobsOf(rows)) if (!known.has(job.id)) all.push(await carryOut(attached, job, signal));
    return all;
  });
  for (const carried of later) done.push({ carried, report: await conclude(environment, record, carried) });
  return done;
}

export interface Done {
  readonly carried: Carried;
  readonly report: ErasureReport;
}

/** A fork that cannot be reached now has its own row of the job, and is done when it is attached next. */
export async function withDescendants(
  table: ProcessTable,
  report: ErasureReport,
  { job, children }: Carried,
): Promise<ErasureReport> {
  const descendants: ErasureReport[] = [];
  const open = [...report.open];
  for (const child of children) {
    try {
      const all = await table.workOn(child, eraseOpen);
      const done = all.find(({ carried }) => carried.job.id === job.id);
      if (done) descendants.push(await withDescendants(table, done.report, done.carried));
    } catch (error) {
      open.push(unreached(child.pid, error));
    }
  }
  const isDone = open.length === 0 && descendants.every(({ done }) => done);
  return { ...report, open, descendants, done: isDone };
}

function unreached(pid: Pid, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `fork ${pid} still has what it copied, until it is attached next: ${reason}`;
}

function neverServed(): PagefaultError {
  return new PagefaultError('E_NOT_FOUND', 'the message was erased before it was answered', {
    hint: 'send it again if it is still wanted',
  });
}
