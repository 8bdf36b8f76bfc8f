/**
 * A document mapped into a process: a text that is read in windows, and never indexed nor summarised as something new. It
 * is a row that says what it is, and rows of its text of a fixed number of code points, so that a window of a book is read
 * without the book.
 */
import type { Pid, Put, RowKey } from '@pagefault/contracts';

/** One row a document, by its id. */
export const DOCUMENT_SPACE = 'documents';
/** The text, apart from it: what documents there are is told without reading any. */
export const DOCUMENT_TEXT_SPACE = 'document-text';

/** Code points of one row: a window of a small model in one or two rows, a book of 50 MB in some three thousand. */
export const ROW_CHARACTERS = 16_384;

export interface DocumentRow {
  readonly id: string;
  readonly name: string;
  /** Code points. */
  readonly characters: number;
  /** Of the whole text: the same text under the same name is there already. */
  readonly sha256: string;
  /** Who has the rows of the text: of what a fork inherited, one of its ancestors. */
  readonly owner: Pid;
  /** False while its text is being written, and once it is withdrawn: it cannot be read. */
  readonly ready: boolean;
  /** Unmapped here while forks read its text: it stays for them, and this row so that it is never text of nobody. */
  readonly withdrawn?: true;
}

export function documentHandle(id: string): string {
  return `d${id}`;
}

/** The id in a handle `d<id>`. */
export function documentId(handle: string): string | undefined {
  return /^d([0-9a-f]{12})$/.exec(handle)?.[1];
}

export function documentKey(id: string): RowKey {
  return { space: DOCUMENT_SPACE, key: id };
}

/** A row that says what it is, and those of its text. */
export function rowsOfDocument(row: DocumentRow): RowKey[] {
  return [documentKey(row.id), ...textKeys(row)];
}

/** Rows of a text, in order; no code point is cut in two. */
export function* textPuts(id: string, text: string): Generator<Put> {
  let start = 0;
  for (let index = 0; start < text.length; index++) {
    const end = endOfRow(text, start);
    yield { ...textKey(id, index), value: text.slice(start, end) };
    start = end;
  }
}

function endOfRow(text: string, start: number): number {
  let end = start;
  for (let points = 0; points < ROW_CHARACTERS && end < text.length; points++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return end;
}

/** All rows of the text of a document. */
export function textKeys({ id, characters }: Pick<DocumentRow, 'id' | 'characters'>): RowKey[] {
  return rowRange(id, 0, characters);
}

/** The rows that hold the code points from `from` up to, not including, `to`; the first begins at `rowStart(from)`. */
export function rowRange(id: string, from: number, to: number): RowKey[] {
  const first = Math.floor(from / ROW_CHARACTERS);
  const count = Math.max(0, Math.ceil(to / ROW_CHARACTERS) - first);
  return Array.from({ length: count }, (_, index) => textKey(id, first + index));
}

export function rowStart(from: number): number {
  return from - (from % ROW_CHARACTERS);
}

/** Padded, so that keys sort like numbers. */
function textKey(id: string, index: number): RowKey {
  return { space: DOCUMENT_TEXT_SPACE, key: `${id}/${String(index).padStart(8, '0')}` };
}
