/** The history of a block, read from its rows. */
import type { Pid, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { PROGRAM } from '../../core/block-edit.js';
import { historyKey, redoTarget, type StoredVersion, undoTarget } from '../../core/block-history.js';
import type { Block } from '../../core/state.js';

/** A value that a block had, or has. */
export interface BlockVersion extends StoredVersion {
  readonly version: number;
  /** The value that the block has now. Those after it were undone. */
  readonly shown: boolean;
}

/** Oldest first. `owner` is whose rows they are: the process, or the shared block. */
export async function readHistory(
  recall: RecallDriver,
  owner: Pid,
  block: Block,
): Promise<readonly BlockVersion[]> {
  const { history, version, value } = block;
  if (!history) return [{ version, value, by: PROGRAM, shown: true }];
  const rows = await readVersions(recall, owner, block, history.versions);
  return rows.map((row) => ({ ...row, shown: row.version === history.shown }));
}

/** What an undo or redo brings back. Errors: `E_BLOCK` when there is nothing so far back or ahead. */
export async function readTarget(
  recall: RecallDriver,
  owner: Pid,
  block: Block,
  direction: 'undo' | 'redo',
  to: number | undefined,
): Promise<{ readonly version: number; readonly value: string }> {
  const target = (direction === 'undo' ? undoTarget : redoTarget)(block, to);
  if (target === undefined) throw nothingThere(block, direction, to);
  const [row] = await readVersions(recall, owner, block, [target]);
  if (!row) throw new PagefaultError('E_STORAGE', `version ${target} of block "${block.name}" is not stored`);
  return row;
}

async function readVersions(
  recall: RecallDriver,
  owner: Pid,
  { history }: Block,
  versions: readonly number[],
): Promise<readonly (StoredVersion & { readonly version: number })[]> {
  if (!history) return [];
  const keys = new Map(versions.map((version) => [historyKey(history.key, version).key, version]));
  const rows = await recall.get(
    owner,
    versions.map((version) => historyKey(history.key, version)),
  );
  return rows.map((row) => ({
    version: keys.get(row.key) ?? 0,
    ...(row.value as unknown as StoredVersion),
  }));
}

function nothingThere({ name, history }: Block, direction: 'undo' | 'redo', to?: number): PagefaultError {
  const versions = history?.versions.filter((version) =>
    direction === 'undo' ? version < history.shown : version > history.shown,
  );
  const problem =
    to === undefined
      ? `there is nothing to ${direction} in block "${name}"`
      : `block "${name}" has no version ${to} to ${direction} to`;
  const there = versions?.length
    ? `there are: ${versions.join(', ')}`
    : `nothing was ${direction === 'undo' ? 'edited' : 'undone'}`;
  return new PagefaultError('E_BLOCK', problem, { hint: there });
}
