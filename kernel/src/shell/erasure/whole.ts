/**
 * Erases a whole process. Its rows go in one step, its job's row would go with them, so that one is kept apart: under an
 * owner that is no process. What is true goes first, what is derived from it after.
 */
import type { Instant, Json, Pid, RowKey, Scope } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Environment } from '../environment.js';
import { childrenOf, parentOf } from '../processes/family.js';
import { ProcessLease } from '../processes/lease.js';
import type { ProcessTable } from '../processes/process-table.js';
import { knownScopes } from '../search/scopes.js';
import { CHILD_SPACE, loadProcess, type ProcessRecord } from '../storage.js';
import { ERASURE_SPACE } from './job.js';
import { eraseRecordings, placesElsewhere } from './recordings.js';
import { type ErasureReport, NOTHING, NOTHING_QUOTES } from './report.js';
import { forgetMarks, sharedEditedBy } from './shared-marks.js';
import { forgetVectors } from './vectors.js';

/** Owner of rows about processes that are gone. No pid is like it. */
export const GONE: Pid = 'erased-processes';

/** What must be known of a process when its rows are gone. */
interface WholeJob {
  readonly pid: Pid;
  readonly name: string;
  readonly at: Instant;
  readonly scopes: readonly Scope[];
  readonly recordedElsewhere: readonly string[];
  /** Ids of those that it edited. None in jobs of before. */
  readonly sharedBlocks?: readonly string[];
  readonly parent?: Pid;
}

export interface EraseOptions {
  /** Its forks too, and theirs, before it. Default: a process that has forks is refused. */
  readonly cascade?: boolean;
}

/** Errors: `E_NOT_FOUND`; `E_CONFLICT` for a process that has forks, naming them; `E_LEASE_LOST`, `E_STORAGE`. */
export async function eraseProcess(
  environment: Environment,
  table: ProcessTable,
  pid: Pid,
  options: EraseOptions = {},
): Promise<ErasureReport> {
  const { recall } = environment.services;
  const record = await loadProcess(recall, pid);
  if (!record) return finishWhole(environment, pid);
  const descendants = await eraseChildren(environment, table, record, options);
  const { job, messages } = await table.retire(record, () => eraseRows(environment, record));
  const report = await concludeWhole(environment, job, messages);
  return { ...report, descendants, done: report.done && descendants.every(({ done }) => done) };
}

/** Of a process whose rows are gone already. */
async function finishWhole(environment: Environment, pid: Pid): Promise<ErasureReport> {
  const [row] = await environment.services.recall.get(GONE, [keyOf(pid)]);
  if (row) return concludeWhole(environment, row.value as unknown as WholeJob, 0);
  throw new PagefaultError('E_NOT_FOUND', `there is no process ${pid}`, {
    hint: '`pagefault ps` lists them',
  });
}

async function eraseChildren(
  environment: Environment,
  table: ProcessTable,
  record: ProcessRecord,
  { cascade = false }: EraseOptions,
): Promise<readonly ErasureReport[]> {
  const children = await childrenOf(environment.services.recall, record.pid);
  if (children.length > 0 && !cascade) throw hasForks(record, children);
  const reports = [];
  for (const { pid } of children) reports.push(await eraseProcess(environment, table, pid, { cascade }));
  return reports;
}

/** Under the lease: no other kernel runs it, and nobody forks it. */
async function eraseRows(
  environment: Environment,
  record: ProcessRecord,
): Promise<{ readonly job: WholeJob; readonly messages: number }> {
  const { services, owner, limits } = environment;
  const { recall, clock } = services;
  const { pid, name } = record;
  const lease = await ProcessLease.acquire(recall, pid, owner, limits.leaseMs);
  try {
    const late = await childrenOf(recall, pid);
    if (late.length > 0) throw hasForks(record, late);
    const parent = parentOf(record);
    const job: WholeJob = {
      pid,
      name,
      at: clock.now(),
      scopes: await knownScopes(recall, pid),
      recordedElsewhere: await placesElsewhere(environment, pid),
      sharedBlocks: await sharedEditedBy(recall, pid),
      ...(parent !== undefined && { parent }),
    };
    await recall.commit({ pid: GONE, puts: [{ ...keyOf(pid), value: job as unknown as Json }] });
    return { job, messages: await recall.erase({ pid, whole: true, fence: lease.fence }) };
  } finally {
    await lease.release();
  }
}

async function concludeWhole(
  environment: Environment,
  job: WholeJob,
  messages: number,
): Promise<ErasureReport> {
  const { recall, bus } = environment.services;
  const { pid, name, scopes, parent, recordedElsewhere, sharedBlocks = [] } = job;
  const recordings = await eraseRecordings(environment, pid);
  const open = [recordings.problem, await forgetVectors(environment, pid, scopes)].filter(
    (one) => one !== undefined,
  );
  if (parent !== undefined && (await loadProcess(recall, parent)))
    await recall.commit({ pid: parent, deletes: [{ space: CHILD_SPACE, key: pid }] });
  await forgetMarks(recall, pid, sharedBlocks);
  if (open.length === 0) await endJob(environment, pid, scopes);
  const report: ErasureReport = {
    pid,
    name,
    whole: true,
    done: open.length === 0,
    open,
    erased: { ...NOTHING, messages },
    summary: 'none',
    recordings: { deleted: recordings.deleted, elsewhere: recordedElsewhere },
    quotedBy: NOTHING_QUOTES,
    sharedBlocks,
    atAncestors: [],
    descendants: [],
  };
  bus.raise('erased', { report });
  return report;
}

async function endJob(
  { services, indexer, secondLooks }: Environment,
  pid: Pid,
  scopes: readonly Scope[],
): Promise<void> {
  const puts = indexer || scopes.length > 0 ? secondLooks.ask(pid, { pid, scopes }) : [];
  await services.recall.commit({ pid: GONE, puts, deletes: [keyOf(pid)] });
  secondLooks.asked(puts);
}

function keyOf(pid: Pid): RowKey {
  return { space: ERASURE_SPACE, key: pid };
}

function hasForks({ pid, name }: ProcessRecord, children: readonly ProcessRecord[]): PagefaultError {
  const names = children.map((child) =>
    child.name === child.pid ? child.pid : `${child.name} (${child.pid})`,
  );
  return new PagefaultError(
    'E_CONFLICT',
    `process ${name === pid ? pid : `${name} (${pid})`} has ${children.length} forks, which read its history: ${names.join(', ')}`,
    { hint: 'erase them first, or all with `cascade`' },
  );
}
