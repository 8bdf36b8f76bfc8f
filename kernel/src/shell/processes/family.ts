/** Which processes were forked from which. */
import type { Pid, RecallDriver } from '@pagefault/contracts';
import { CHILD_SPACE, loadProcess, type ProcessRecord } from '../storage.js';

/** A row whose process does not exist is of a fork that a crash prevented. */
export async function childrenOf(recall: RecallDriver, pid: Pid): Promise<readonly ProcessRecord[]> {
  const rows = await recall.load(pid, [CHILD_SPACE]);
  const records = await Promise.all(rows.map(({ key }) => loadProcess(recall, key)));
  return records.filter((record) => record !== undefined);
}

export function parentOf({ ancestors = [] }: ProcessRecord): Pid | undefined {
  return ancestors.at(-1)?.pid;
}
