/** The rows that say what documents there are, of a process and of its forks. */
import type { Pid, RecallDriver } from '@pagefault/contracts';
import { DOCUMENT_SPACE, type DocumentRow } from '../../core/mapped-document.js';
import { CHILD_SPACE, loadProcess } from '../storage.js';

/** By name; also those that cannot be read. */
export async function documentRows(recall: RecallDriver, pid: Pid): Promise<readonly DocumentRow[]> {
  const rows = await recall.load(pid, [DOCUMENT_SPACE]);
  const documents = rows.map(({ value }) => value as unknown as DocumentRow);
  return documents.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export interface ForkedRows {
  readonly rows: readonly DocumentRow[];
  /** One of the forks is not stored: it is being made just now, and may read anything, or a crash prevented it. */
  readonly isPartial: boolean;
}

export const NO_FORKS: ForkedRows = Object.freeze({ rows: [], isPartial: false });

/** Of the forks, and of theirs. */
export async function rowsOfForks(recall: RecallDriver, pid: Pid): Promise<ForkedRows> {
  const rows: DocumentRow[] = [];
  let isPartial = false;
  for (const { key } of await recall.load(pid, [CHILD_SPACE])) {
    isPartial ||= (await loadProcess(recall, key)) === undefined;
    const further = await rowsOfForks(recall, key);
    isPartial ||= further.isPartial;
    rows.push(...(await documentRows(recall, key)), ...further.rows);
  }
  return { rows, isPartial };
}
