/** Gives a policy back what it knew: from its snapshot when that is of this very state, else from the residents. */
import type { Json, Pid, Put, RecallDriver, RowKey } from '@pagefault/contracts';
import { budgetOf } from '../../core/budget.js';
import type { MachineConfig } from '../../core/config.js';
import { residentViews } from '../../core/page-view.js';
import type { ProcessState } from '../../core/state.js';
import type { PagingPolicy } from '../../policy/policy.js';

export const POLICY_SPACE = 'policy';

/** Beyond this a snapshot costs more than it saves: a rebuild from residents is always possible. */
export const SNAPSHOT_BYTES = 65_536;

interface StoredPolicy {
  readonly id: string;
  readonly version: number;
  /** Base64. */
  readonly snapshot: string;
  /** Of which state it is: a snapshot that a crash left behind is of an older one. */
  readonly lastSeq: number;
}

export function configurePolicy(policy: PagingPolicy, config: MachineConfig): void {
  const capacity = budgetOf(config.processor, config.limits).tokens;
  policy.configure({ capacity, unit: 'tokens' });
}

export function rebuildPolicy(policy: PagingPolicy, state: ProcessState): void {
  for (const view of residentViews(state)) policy.onBirth(view);
}

/** True when the snapshot was used. */
export async function restorePolicy(
  recall: RecallDriver,
  policy: PagingPolicy,
  state: ProcessState,
): Promise<boolean> {
  const [row] = await recall.get(state.head.pid, [{ space: POLICY_SPACE, key: policy.id }]);
  const stored = row?.value as StoredPolicy | undefined;
  const usable = stored?.id === policy.id && stored.lastSeq === state.head.lastSeq && stored.snapshot !== '';
  if (usable && policy.restore(Buffer.from(stored.snapshot, 'base64'), stored.version)) return true;
  rebuildPolicy(policy, state);
  return false;
}

export async function savePolicy(
  recall: RecallDriver,
  pid: Pid,
  policy: PagingPolicy,
  state: ProcessState,
  fence: number,
): Promise<void> {
  await recall.commit({ pid, fence, puts: [snapshotRow(policy, state)] });
}

/** Snapshots of all policies that the process ever ran under. */
export async function policyRows(recall: RecallDriver, pid: Pid): Promise<readonly RowKey[]> {
  return (await recall.load(pid, [POLICY_SPACE])).map(({ space, key }) => ({ space, key }));
}

export function snapshotRow(policy: PagingPolicy, state: ProcessState): Put {
  const snapshot = Buffer.from(policy.snapshot(SNAPSHOT_BYTES)).toString('base64');
  const value: Json = { id: policy.id, version: policy.version, snapshot, lastSeq: state.head.lastSeq };
  return { space: POLICY_SPACE, key: policy.id, value };
}
