import type { Json, OwnedRow, Pid, Row, RowKey, ScanQuery, Slice, Space } from '@pagefault/contracts';
import { parseCursor, type SqlPort, type SqlValue } from '@pagefault/driver-kit';
import { NAME } from './errors.js';

interface StoredRow {
  readonly pid: Pid;
  readonly space: Space;
  readonly key: string;
  readonly value: string;
  readonly version: number;
  readonly due_at: number | null;
}

const FIELDS = 'r.pid, r.space, r.key, r.value, r.version, r.due_at';

export async function loadRows(
  sql: SqlPort,
  schema: string,
  pid: Pid,
  spaces: readonly Space[],
): Promise<readonly Row[]> {
  const { rows } = await sql.query<StoredRow>(
    `select ${FIELDS} from ${schema}.rows r
     where r.pid = $1 and r.space = any (array(select json_array_elements_text($2::json) collate "C"))`,
    [pid, JSON.stringify(spaces)],
  );
  const bySpace = groupBySpace(rows);
  return spaces.flatMap((space) => (bySpace.get(space) ?? []).map(toRow));
}

// The database orders text by code points; code units differ beyond U+FFFF.
function groupBySpace(rows: readonly StoredRow[]): Map<Space, StoredRow[]> {
  const groups = new Map<Space, StoredRow[]>();
  for (const row of rows) {
    const group = groups.get(row.space);
    if (group === undefined) groups.set(row.space, [row]);
    else group.push(row);
  }
  for (const group of groups.values()) group.sort((a, b) => (a.key < b.key ? -1 : 1));
  return groups;
}

export async function getRows(
  sql: SqlPort,
  schema: string,
  pid: Pid,
  keys: readonly RowKey[],
): Promise<readonly Row[]> {
  if (keys.length === 0) return [];
  const { rows } = await sql.query<StoredRow>(
    `select ${FIELDS} from json_to_recordset($2::json) k(space text, key text) cross join lateral (
       select * from ${schema}.rows
       where pid = $1 and space = k.space collate "C" and key = k.key collate "C" offset 0) r`,
    [pid, JSON.stringify(keys.map(({ space, key }) => ({ space, key })))],
  );
  const found = new Map(rows.map((row) => [nameOf(row), row]));
  return keys.flatMap((key) => {
    const row = found.get(nameOf(key));
    return row === undefined ? [] : [toRow(row)];
  });
}

function nameOf({ space, key }: RowKey): string {
  return JSON.stringify([space, key]);
}

/** Where a row stands in a scan. Without `dueBefore` all rows are due alike, so pid and key decide. */
export async function scanRows(
  sql: SqlPort,
  schema: string,
  space: Space,
  query: ScanQuery,
): Promise<Slice<OwnedRow>> {
  const isByDue = query.dueBefore !== undefined;
  const values: SqlValue[] = [space, query.limit + 1];
  const conditions = ['r.space = $1'];
  if (query.dueBefore !== undefined) {
    conditions.push(
      `r.due_at is not null and r.due_at <= $${values.push(query.dueBefore)}::double precision`,
    );
  }
  if (query.after !== undefined) conditions.push(afterCondition(query.after, isByDue, values));
  const { rows } = await sql.query<StoredRow>(
    `select ${FIELDS} from ${schema}.rows r where ${conditions.join(' and ')}
     order by ${isByDue ? 'r.due_at, ' : ''}r.pid, r.key limit $2::bigint`,
    values,
  );
  const items = rows.slice(0, query.limit);
  const end = rows.length > query.limit ? items.at(-1) : undefined;
  const owned = items.map((row) => ({ pid: row.pid, ...toRow(row) }));
  return end === undefined ? { items: owned } : { items: owned, cursor: cursorAt(end, isByDue) };
}

function cursorAt({ due_at, pid, key }: StoredRow, isByDue: boolean): string {
  return JSON.stringify([isByDue ? (due_at ?? 0) : 0, pid, key]);
}

function afterCondition(cursor: string, isByDue: boolean, values: SqlValue[]): string {
  const [due = 0, pid = '', key = ''] = parseCursor(NAME, cursor, ['number', 'string', 'string']);
  const bind = (value: SqlValue, type: string): string => `$${values.push(value)}::${type}`;
  const place = isByDue ? [bind(due, 'double precision')] : [];
  place.push(bind(pid, 'text'), bind(key, 'text'));
  return `(${isByDue ? 'r.due_at, ' : ''}r.pid, r.key) > (${place.join(', ')})`;
}

function toRow({ space, key, value, version, due_at }: StoredRow): Row {
  const row = { space, key, value: JSON.parse(value) as Json, version };
  return due_at === null ? row : { ...row, dueAt: due_at };
}
