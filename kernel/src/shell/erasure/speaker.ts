/** Erases what one person said, in every process of the store. */
import type { Environment } from '../environment.js';
import { listProcesses } from '../processes/listing.js';
import type { ProcessTable } from '../processes/process-table.js';
import { ownLineage, type ProcessRecord } from '../storage.js';
import { waitingMeant } from './deliveries.js';
import { eraseFrom } from './erase.js';
import { type ErasureReport, failedReport } from './report.js';
import { type CheckedTarget, checkedTarget, isMeant } from './target.js';
import { entriesOf } from './walk.js';

/** One report a process that held any of it, in the order in which the processes were made. Errors: `E_INVALID`. */
export async function eraseSpeaker(
  environment: Environment,
  table: ProcessTable,
  speaker: string,
): Promise<readonly ErasureReport[]> {
  const { recall } = environment.services;
  const target = checkedTarget({ speaker });
  const reports: ErasureReport[] = [];
  for (const record of await listProcesses(recall)) {
    if (!(await holdsAny(environment, record, target))) continue;
    // One that cannot be erased from now keeps no other from it.
    const failed = (error: unknown) => failedReport(record, error);
    reports.push(await eraseFrom(environment, table, record, { speaker }).catch(failed));
  }
  return reports;
}

/** Without attaching it: most processes hold nothing of any one person. */
async function holdsAny(
  { services: { recall } }: Environment,
  record: ProcessRecord,
  target: CheckedTarget,
): Promise<boolean> {
  for await (const { message } of entriesOf(recall, ownLineage(record.pid)))
    if (isMeant(target, message)) return true;
  return (await waitingMeant({ recall, record }, target)).length > 0;
}
