import type { Lineage, LogEntry, LogStats, Message, ReadQuery, Slice } from '@pagefault/contracts';
import { parseCursor, type SqlPort, type SqlValue } from '@pagefault/driver-kit';
import { NAME } from './errors.js';
import { lineageTable, lineageValue } from './lineage.js';

interface LogRow {
  readonly seq: number;
  readonly page: number;
  readonly message: string;
}

/**
 * Entries by position. Each process of the lineage gives at most one page of its own, by its own index; the
 * pages are then merged. The cursor is the last position given, so that appends between two pages disturb
 * nothing.
 */
export async function readLog(
  sql: SqlPort,
  schema: string,
  lineage: Lineage,
  query: ReadQuery,
): Promise<Slice<LogEntry>> {
  const values: SqlValue[] = [lineageValue(lineage), query.limit + 1];
  const conditions = conditionsOf(query, values);
  const order = query.order === 'descending' ? 'desc' : 'asc';
  const { rows } = await sql.query<LogRow>(
    `select found.seq, found.page, found.message from ${lineageTable(schema)} cross join lateral (
       select seq, page, message from ${schema}.log g
       where ${['g.num = l.num', 'g.seq <= l.upto', ...conditions].join(' and ')}
       order by g.seq ${order} limit $2::bigint) found
     order by found.seq ${order} limit $2::bigint`,
    values,
  );
  return toSlice(rows, query.limit);
}

function conditionsOf(query: ReadQuery, values: SqlValue[]): string[] {
  const bind = (value: SqlValue): string => `$${values.push(value)}`;
  const list = (items: readonly (string | number)[]): string =>
    `json_array_elements_text(${bind(JSON.stringify(items))}::json)`;
  const conditions: string[] = [];
  const add = <T>(value: T | undefined, condition: (value: T) => string): void => {
    if (value !== undefined) conditions.push(condition(value));
  };
  add(query.from, (from) => `g.seq >= ${bind(from)}::bigint`);
  add(query.to, (to) => `g.seq <= ${bind(to)}::bigint`);
  add(query.since, (since) => `g.at >= ${bind(since)}::double precision`);
  add(query.until, (until) => `g.at < ${bind(until)}::double precision`);
  add(query.seqs, (seqs) => `g.seq = any (array(select ${list(seqs)}::bigint))`);
  add(query.ids, (ids) => `g.id = any (array(select ${list(ids)} collate "C"))`);
  add(query.cursor, (cursor) => {
    const [last = 0] = parseCursor(NAME, cursor, ['number']);
    return `g.seq ${query.order === 'descending' ? '<' : '>'} ${bind(last)}::bigint`;
  });
  return conditions;
}

function toSlice(rows: readonly LogRow[], limit: number): Slice<LogEntry> {
  const items = rows.slice(0, limit).map(toEntry);
  const last = items.at(-1);
  return rows.length > limit && last ? { items, cursor: `[${last.seq}]` } : { items };
}

function toEntry({ seq, page, message }: LogRow): LogEntry {
  return { seq, page, message: JSON.parse(message) as Message };
}

export async function logStats(sql: SqlPort, schema: string, lineage: Lineage): Promise<LogStats> {
  const { rows } = await sql.query<{ messages: number; last: number; bytes: number }>(
    `select count(g.seq) as messages,
       coalesce(greatest(max(g.seq), max(least(l.upto, l.erased_to)) filter (where l.erased_to is not null)), 0) as last,
       coalesce(sum(octet_length(g.message)), 0)::bigint as bytes
     from ${lineageTable(schema)} left join ${schema}.log g on g.num = l.num and g.seq <= l.upto`,
    [lineageValue(lineage)],
  );
  const { messages = 0, last = 0, bytes = 0 } = rows[0] ?? {};
  return { messages, lastSeq: last, bytes };
}
