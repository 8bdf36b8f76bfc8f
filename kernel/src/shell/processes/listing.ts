/** What `ps` shows of the processes in a store. */
import type { OwnedRow, Pid, RecallDriver } from '@pagefault/contracts';
import { CONTROL_SPACE, controlOf, type ProcessControl } from './control.js';
import { allRows, PROCESS_ROW, type ProcessRecord } from '../storage.js';

export interface ProcessInfo extends ProcessRecord, ProcessControl {}

export async function listProcesses(recall: RecallDriver): Promise<ProcessInfo[]> {
  const controls = new Map<Pid, OwnedRow[]>();
  for await (const row of allRows(recall, CONTROL_SPACE))
    controls.set(row.pid, [...(controls.get(row.pid) ?? []), row]);
  const processes: ProcessInfo[] = [];
  for await (const { pid, value } of allRows(recall, PROCESS_ROW.space))
    processes.push({ ...(value as unknown as ProcessRecord), ...controlOf(controls.get(pid) ?? []) });
  return processes;
}
