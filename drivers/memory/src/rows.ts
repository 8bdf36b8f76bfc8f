import type { OwnedRow, Pid, Row, RowKey, ScanQuery, Slice, Space } from '@pagefault/contracts';
import { parseCursor } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { byCodeUnits } from './order.js';
import type { Store } from './store.js';

export function loadRows(store: Store, pid: Pid, spaces: readonly Space[]): readonly Row[] {
  const owner = store.processes.get(pid);
  return spaces.flatMap((space) =>
    [...(owner?.spaces.get(space)?.values() ?? [])].sort((a, b) => byCodeUnits(a.key, b.key)),
  );
}

export function getRows(store: Store, pid: Pid, keys: readonly RowKey[]): readonly Row[] {
  const owner = store.processes.get(pid);
  return keys.flatMap(({ space, key }) => owner?.spaces.get(space)?.get(key) ?? []);
}

/** Where a row stands in a scan. Without `dueBefore` all rows are due alike, so pid and key decide. */
type Place = readonly [due: number, pid: Pid, key: string];

/** Collects the whole space and sorts it: exact, and dear only for spaces that are large over all processes. */
export function scanRows(store: Store, space: Space, query: ScanQuery): Slice<OwnedRow> {
  const { dueBefore, after, limit } = query;
  const place = ({ pid, key, dueAt }: OwnedRow): Place => [
    dueBefore === undefined ? 0 : (dueAt ?? 0),
    pid,
    key,
  ];
  const last =
    after === undefined ? undefined : (parseCursor(NAME, after, ['number', 'string', 'string']) as Place);
  const rows = [...ownedRows(store, space)]
    .filter((row) => dueBefore === undefined || (row.dueAt !== undefined && row.dueAt <= dueBefore))
    .filter((row) => last === undefined || byPlace(place(row), last) > 0)
    .sort((a, b) => byPlace(place(a), place(b)));
  const items = rows.slice(0, limit);
  const end = items.at(-1);
  return end && rows.length > limit ? { items, cursor: JSON.stringify(place(end)) } : { items };
}

function* ownedRows(store: Store, space: Space): Generator<OwnedRow> {
  for (const [pid, owner] of store.processes) {
    for (const row of owner.spaces.get(space)?.values() ?? []) yield Object.freeze({ pid, ...row });
  }
}

function byPlace(a: Place, b: Place): number {
  return a[0] - b[0] || byCodeUnits(a[1], b[1]) || byCodeUnits(a[2], b[2]);
}
