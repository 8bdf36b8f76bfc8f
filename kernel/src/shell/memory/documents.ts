/**
 * Documents of one process: mapped, listed, read and unmapped. They are no part of its state, so a turn that runs is not
 * waited for while a book is written; what there is changes in one commit.
 */
import { createHash } from 'node:crypto';
import type { Commit, Pid, Put, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import {
  documentHandle,
  documentId,
  documentKey,
  type DocumentRow,
  rowRange,
  rowsOfDocument,
  rowStart,
  textPuts,
} from '../../core/mapped-document.js';
import { codePoints, groupDigits, isBlank, normaliseText, sliceCodePoints } from '../../core/text.js';
import type { Limits } from '../../limits.js';
import type { MappedDocument, TextSource } from '../../syscall/syscall.js';
import { unknownDocument } from '../../syscall/read-document.js';
import { documentRows, NO_FORKS, rowsOfForks } from './document-rows.js';

/** The holder of the process: what it writes is fenced. */
export interface DocumentWriter {
  readonly pid: Pid;
  write(rows: Pick<Commit, 'puts' | 'deletes'>): Promise<void>;
}

type DocumentChange = Required<Pick<Commit, 'puts' | 'deletes'>>;

export interface IncomingDocument {
  /** How the model calls it: 1 to 256 characters. A text that had this name before is replaced. */
  readonly name: string;
  readonly text: string;
}

/** Rows of one commit: about a million characters, so that a whole book is never one parameter of the store. */
const BATCH = 64;
/** By it a document is told from others in a handle; the whole hash says whether a text is the same. */
const ID_CHARACTERS = 12;
const LONGEST_NAME = 256;

/** Those being written by this program, by process and id: others that are not ready are what a crash left. */
const underWay = new Set<string>();

// Changes come one after the other, but not in line with the turns: a tool may map a document in the middle of one.
const lines = new WeakMap<DocumentWriter, Promise<unknown>>();

function inOrder<T>(writer: DocumentWriter, work: () => Promise<T>): Promise<T> {
  const result = (lines.get(writer) ?? Promise.resolve()).then(work);
  lines.set(
    writer,
    result.catch(() => undefined), // The failure is the caller's; the line goes on.
  );
  return result;
}

/** Those that can be read, by name. */
export async function listDocuments(recall: RecallDriver, pid: Pid): Promise<readonly MappedDocument[]> {
  const rows = await documentRows(recall, pid);
  return rows.filter(({ ready }) => ready).map(toMapped);
}

function toMapped({ id, name, characters }: DocumentRow): MappedDocument {
  return { handle: documentHandle(id), name, characters };
}

/** The text behind `d<id>`, read row by row. */
export async function readDocument(
  recall: RecallDriver,
  pid: Pid,
  handle: string,
): Promise<TextSource | undefined> {
  const id = documentId(handle);
  const [row] = id === undefined ? [] : await recall.get(pid, [documentKey(id)]);
  const document = row?.value as DocumentRow | undefined;
  if (!document?.ready) return undefined;
  return {
    handle,
    size: document.characters,
    read: (from, to) => readText(recall, document, from, Math.min(to, document.characters)),
  };
}

async function readText(
  recall: RecallDriver,
  { id, name, owner }: DocumentRow,
  from: number,
  to: number,
): Promise<string> {
  const keys = rowRange(id, from, to);
  const rows = await recall.get(owner, keys);
  if (rows.length < keys.length)
    throw new PagefaultError(
      'E_STORAGE',
      `${keys.length - rows.length} rows of the document "${name}" are missing`,
    );
  const start = rowStart(from);
  return sliceCodePoints(rows.map(({ value }) => value as string).join(''), from - start, to - start);
}

/**
 * Idempotent by name and content. The text is written first; only the last commit makes it readable, and takes away what
 * had its name before. Errors: `E_INVALID`.
 */
export async function mapDocument(
  writer: DocumentWriter,
  recall: RecallDriver,
  limits: Limits,
  incoming: IncomingDocument,
): Promise<MappedDocument> {
  const text = normaliseText(incoming.text);
  const document = describe(writer.pid, checkedName(incoming.name), text, limits);
  const mark = `${writer.pid}/${document.id}`;
  underWay.add(mark);
  try {
    const known = await begin(writer, recall, limits, document);
    if (!known) {
      await writeText(writer, document, text);
      await inOrder(writer, async () => writer.write(await finishing(recall, document)));
    }
  } finally {
    underWay.delete(mark);
  }
  return toMapped(document);
}

function describe(pid: Pid, name: string, text: string, { documentCharacters }: Limits): DocumentRow {
  const characters = codePoints(text);
  if (isBlank(text)) throw new PagefaultError('E_INVALID', `the document "${name}" holds no text`);
  if (characters > documentCharacters) {
    throw new PagefaultError(
      'E_INVALID',
      `the document "${name}" has ${groupDigits(characters)} characters, the limit is ${groupDigits(documentCharacters)}`,
      { hint: 'split it, or raise limits.documentCharacters' },
    );
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  const id = createHash('sha256')
    .update(JSON.stringify([name, sha256]))
    .digest('hex')
    .slice(0, ID_CHARACTERS);
  return { id, name, characters, sha256, owner: pid, ready: true };
}

function checkedName(given: string): string {
  const name = normaliseText(given).replace(/\s+/gu, ' ').trim();
  const size = codePoints(name);
  if (!isBlank(name) && size <= LONGEST_NAME) return name;
  throw new PagefaultError('E_INVALID', `the name of a document has ${size} characters`, {
    hint: `give it one of 1 to ${LONGEST_NAME} visible characters, for example its file name`,
  });
}

/** True when it is there already. Otherwise it is marked as being written, and what a crash left of others goes. */
function begin(
  writer: DocumentWriter,
  recall: RecallDriver,
  { documents: most }: Limits,
  document: DocumentRow,
): Promise<boolean> {
  return inOrder(writer, async () => {
    const rows = await documentRows(recall, writer.pid);
    const same = rows.find(({ id, sha256 }) => id === document.id && sha256 === document.sha256);
    if (same?.ready) return true;
    const others = rows.filter(({ name, ready }) => ready && name !== document.name);
    if (others.length >= most) throw tooMany(others.length, most);
    // Its text is all there; forks may be reading it.
    if (same?.withdrawn) return writer.write(await finishing(recall, document)).then(() => true);
    const left = rows.filter((row) => isUnfinished(row) && !underWay.has(`${writer.pid}/${row.id}`));
    await writer.write({
      puts: [toPut({ ...document, ready: false })],
      deletes: left.flatMap(rowsOfDocument),
    });
    return false;
  });
}

function isUnfinished({ ready, withdrawn }: DocumentRow): boolean {
  return !ready && !withdrawn;
}

function tooMany(count: number, most: number): PagefaultError {
  return new PagefaultError('E_INVALID', `${count} documents are mapped, the limit is ${most}`, {
    hint: 'unmap one that is no longer needed, or raise limits.documents',
  });
}

async function writeText(writer: DocumentWriter, { id }: DocumentRow, text: string): Promise<void> {
  let batch: Put[] = [];
  for (const put of textPuts(id, text)) {
    if (batch.push(put) < BATCH) continue;
    await writer.write({ puts: batch });
    batch = [];
  }
  if (batch.length > 0) await writer.write({ puts: batch });
}

async function finishing(recall: RecallDriver, document: DocumentRow): Promise<DocumentChange> {
  const rows = await documentRows(recall, document.owner);
  const replaced = rows.filter(
    ({ name, id, ready }) => ready && name === document.name && id !== document.id,
  );
  const { puts, deletes } = await withdrawal(recall, document.owner, replaced, document.id);
  return { puts: [...puts, toPut(document)], deletes };
}

/** By name or handle. Errors: `E_NOT_FOUND`, naming those that there are. */
export function unmapDocument(
  writer: DocumentWriter,
  recall: RecallDriver,
  nameOrHandle: string,
): Promise<void> {
  return inOrder(writer, async () => {
    const rows = (await documentRows(recall, writer.pid)).filter(({ withdrawn }) => !withdrawn);
    const document = rows.find(
      ({ name, id }) => name === nameOrHandle || documentHandle(id) === nameOrHandle,
    );
    if (!document) throw unknownDocument(nameOrHandle, rows.filter(({ ready }) => ready).map(toMapped));
    await writer.write(await withdrawal(recall, writer.pid, [document]));
  });
}

/**
 * Forks read a text where it is, so it stays while there are any that do, and a row that names it: text of which no row
 * tells could be erased by nobody. What was withdrawn before and is read no more goes with the others, but `kept`.
 */
async function withdrawal(
  recall: RecallDriver,
  pid: Pid,
  documents: readonly DocumentRow[],
  kept?: string,
): Promise<DocumentChange> {
  const before = (await documentRows(recall, pid)).filter(({ id, withdrawn }) => withdrawn && id !== kept);
  const inherited = documents.filter(({ owner }) => owner !== pid);
  const own = [...documents, ...before].filter(({ owner }) => owner === pid);
  const { rows, isPartial } = own.length > 0 ? await rowsOfForks(recall, pid) : NO_FORKS;
  const isRead = (document: DocumentRow) =>
    !isUnfinished(document) &&
    (isPartial || rows.some(({ id, owner }) => id === document.id && owner === pid));
  const isFree = (document: DocumentRow) => !isRead(document);
  return {
    puts: own.filter(isRead).map((row) => toPut({ ...row, ready: false, withdrawn: true })),
    deletes: [...own.filter(isFree).flatMap(rowsOfDocument), ...inherited.map(({ id }) => documentKey(id))],
  };
}

/** What a fork begins with: the documents of its parent, of which it owns no text. */
export function inheritedDocuments(parent: DocumentWriter, recall: RecallDriver): Promise<readonly Put[]> {
  return inOrder(parent, async () =>
    (await documentRows(recall, parent.pid)).filter(({ ready }) => ready).map(toPut),
  );
}

function toPut(document: DocumentRow): Put {
  return { ...documentKey(document.id), value: { ...document } };
}
