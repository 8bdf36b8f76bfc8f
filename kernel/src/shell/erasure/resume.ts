/** Erasures that were begun and not ended, over all processes of the store. */
import type { OwnedRow, RecallDriver } from '@pagefault/contracts';
import type { Environment } from '../environment.js';
import type { ProcessTable } from '../processes/process-table.js';
import { loadProcess, SLICE } from '../storage.js';
import { eraseOpen, withDescendants } from './erase.js';
import { ERASURE_SPACE } from './job.js';
import type { ErasureReport } from './report.js';
import { eraseProcess, GONE } from './whole.js';

/** Each is tried once. One that fails is told on the bus, and keeps no other from it. */
export async function resumeErasures(
  environment: Environment,
  table: ProcessTable,
): Promise<readonly ErasureReport[]> {
  const { recall, bus } = environment.services;
  const reports: ErasureReport[] = [];
  const tried = new Set<string>();
  // What is gone on with may hand its job down to forks, which then have rows that were not there before.
  for (let more = true; more;) {
    more = false;
    for (const { pid, key } of await allRows(recall)) {
      const subject = pid === GONE ? key : pid;
      if (tried.has(subject)) continue;
      tried.add(subject);
      more = true;
      try {
        reports.push(...(await resume(environment, table, pid, subject)));
      } catch (error) {
        bus.raise('erasure-failed', { pid: subject, error });
      }
    }
  }
  return reports;
}

async function resume(
  environment: Environment,
  table: ProcessTable,
  owner: string,
  pid: string,
): Promise<readonly ErasureReport[]> {
  if (owner === GONE) return [await eraseProcess(environment, table, pid)];
  const record = await loadProcess(environment.services.recall, pid);
  if (!record) return [];
  const reports = [];
  for (const { carried, report } of await table.workOn(record, eraseOpen))
    reports.push(await withDescendants(table, report, carried));
  return reports;
}

async function allRows(recall: RecallDriver): Promise<readonly OwnedRow[]> {
  const rows: OwnedRow[] = [];
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(ERASURE_SPACE, { limit: SLICE, ...(after !== undefined && { after }) });
    rows.push(...slice.items);
    if (slice.cursor === undefined) return rows;
    after = slice.cursor;
  }
}
