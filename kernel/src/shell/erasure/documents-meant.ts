/** Mapped documents that go: a document is its source's name. */
import type { RecallDriver } from '@pagefault/contracts';
import { type DocumentRow, textKeys } from '../../core/mapped-document.js';
import type { QuoteFinder } from '../../core/quotes.js';
import { documentRows, rowsOfForks } from '../memory/document-rows.js';
import type { HeldByAncestor } from './job.js';
import type { PlanContext } from './plan-context.js';
import type { CheckedTarget } from './target.js';

/** Rows read at once: about a million characters. */
const ROWS = 64;

/** Those whose text the process has: also what it withdrew since, whether its forks still read it or not. */
export async function documentsMeant(
  { recall, record }: PlanContext,
  { source }: CheckedTarget,
): Promise<readonly DocumentRow[]> {
  if (source === undefined) return [];
  const forks = await rowsOfForks(recall, record.pid);
  const rows = [...(await documentRows(recall, record.pid)), ...forks.rows];
  const own = rows.filter(({ owner, name }) => owner === record.pid && name === source);
  return [...new Map(own.map((row) => [row.id, row])).values()];
}

/** Of those that an ancestor erased, what the process has rows of: a text of its own by that name is another's. */
export async function documentsInherited(
  { recall, record }: PlanContext,
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const own = (await documentRows(recall, record.pid)).filter(({ owner }) => owner === record.pid);
  return ids.filter((id) => !own.some((row) => row.id === id));
}

export async function documentsAtAncestors(
  { recall, record }: PlanContext,
  { source }: CheckedTarget,
): Promise<readonly HeldByAncestor[]> {
  if (source === undefined || !record.ancestors) return [];
  const rows = (await documentRows(recall, record.pid)).filter(
    ({ owner, name }) => owner !== record.pid && name === source,
  );
  return rows.map(({ owner }) => ({ pid: owner, count: 1 }));
}

/** As much of the text as quotes are looked for. */
export async function addDocument(
  recall: RecallDriver,
  row: DocumentRow,
  quotes: QuoteFinder,
): Promise<void> {
  const keys = textKeys(row);
  for (let from = 0; from < keys.length && !quotes.isPartial; from += ROWS) {
    const rows = await recall.get(row.owner, keys.slice(from, from + ROWS));
    for (const { value } of rows) if (typeof value === 'string') quotes.add(value);
  }
}
