/**
 * State as rows of recall storage. A step writes only the rows that changed; contents of messages are
 * never in them, they are read from the log.
 */
import type {
  Commit,
  Instant,
  Json,
  LogEntry,
  PageId,
  PageKind,
  Put,
  Row,
  RowKey,
  Seq,
  Tokens,
} from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import {
  type Block,
  type Head,
  inOrder,
  makePage,
  type ProcessState,
  type Rendered,
  type ResidentMessage,
  type ResidentPage,
  type Stub,
  type Summary,
  type Turn,
} from './state.js';
import { stubMessage } from './stub.js';

export const STATE_SPACE = 'state';
export const BLOCK_SPACE = 'blocks';
export const TURN_KEY = 'turn';
export const HEAD_ROW: RowKey = { space: STATE_SPACE, key: 'head' };

interface PageRow {
  readonly id: PageId;
  readonly kind: PageKind;
  readonly sealed: boolean;
  readonly messages: readonly { readonly seq: Seq; readonly tokens?: Tokens; readonly stub?: Stub }[];
}

export interface RowChanges {
  readonly puts: readonly Put[];
  readonly deletes: readonly RowKey[];
}

/**
 * What must be written to get from one state to the next. Parts are compared by identity, for the core never mutates:
 * what is the same object in both is passed over.
 */
export function changedRows(before: ProcessState | undefined, after: ProcessState): RowChanges {
  const written = partsOf(after, new Set(before ? sourcesOf(before) : []));
  const gone = before ? partsOf(before, new Set(sourcesOf(after))) : [];
  const rewritten = new Set(written.map(({ id }) => id));
  const deletes = gone.filter(({ id }) => !rewritten.has(id)).map(({ space, key }) => ({ space, key }));
  return { puts: written.map(toPut), deletes };
}

/** Names of the blocks that a commit writes or removes. */
export function changedBlocks({ puts = [], deletes = [] }: Pick<Commit, 'puts' | 'deletes'>): string[] {
  return [...puts, ...deletes].filter(({ space }) => space === BLOCK_SPACE).map(({ key }) => key);
}

interface Part extends RowKey {
  readonly id: string;
  readonly dueAt?: Instant;
  value(): unknown;
}

function sourcesOf({ head, turn, summary, rendered, blocks, pages }: ProcessState): object[] {
  const single = [turn, summary, rendered].filter((source) => source !== undefined);
  return [head, ...single, ...blocks, ...pages];
}

/** The parts of a state, but for those that are among `same`. */
function partsOf(state: ProcessState, same: ReadonlySet<object>): Part[] {
  const { head, turn, summary, rendered, blocks, pages } = state;
  const isNew = (source: object | undefined) => source !== undefined && !same.has(source);
  return [
    ...(isNew(head) ? [part(HEAD_ROW.space, HEAD_ROW.key, () => head)] : []),
    // Due at once: by this, a turn that a crash cut off is found among all processes.
    ...(turn && isNew(turn) ? [{ ...part(STATE_SPACE, TURN_KEY, () => turn), dueAt: turn.startedAt }] : []),
    ...(isNew(summary) ? [part(STATE_SPACE, 'summary', () => summary)] : []),
    ...(isNew(rendered) ? [part(STATE_SPACE, 'rendered', () => rendered)] : []),
    ...blocks.filter(isNew).map((block) => part(BLOCK_SPACE, block.name, () => block)),
    ...pages.filter(isNew).map((page) => part(STATE_SPACE, pageKey(page.id), () => toPageRow(page))),
  ];
}

function part(space: string, key: string, value: () => unknown): Part {
  return { id: `${space}/${key}`, space, key, value };
}

function toPut(entry: Part): Put {
  const { space, key, dueAt } = entry;
  return { space, key, value: entry.value() as Json, ...(dueAt !== undefined && { dueAt }) };
}

/** The row of a resident page. */
export function pageRow(id: PageId): RowKey {
  return { space: STATE_SPACE, key: pageKey(id) };
}

/** Padded, so that keys sort like numbers. */
function pageKey(id: PageId): string {
  return `page/${String(id).padStart(12, '0')}`;
}

function toPageRow(page: ResidentPage): PageRow {
  const messages = page.messages.map(({ seq, tokens, stub }) => ({
    seq,
    ...(tokens !== undefined && { tokens }),
    ...(stub && { stub }),
  }));
  return { id: page.id, kind: page.kind, sealed: page.sealed, messages };
}

/** The log positions whose messages a state needs. */
export function residentSeqs(rows: readonly Row[]): Seq[] {
  return pageRows(rows).flatMap((row) => row.messages.map(({ seq }) => seq));
}

/**
 * The state that the rows and the log entries of `residentSeqs` describe. A page that misses an entry of `erased` is left
 * out: an erasure was cut off after it had changed the log.
 * Errors: `E_STORAGE` when another entry is missing, `E_INVALID` for a state of a version that this kernel does not know.
 */
export function restoreState(
  rows: readonly Row[],
  entries: readonly LogEntry[],
  erased: ReadonlySet<Seq> = new Set(),
): ProcessState {
  const head = stateRow(rows, HEAD_ROW.key) as Head | undefined;
  if (head?.version !== 1) throw unknownVersion(head);
  const bySeq = new Map(entries.map((entry) => [entry.seq, entry]));
  const summary = stateRow(rows, 'summary') as Summary | undefined;
  const rendered = stateRow(rows, 'rendered') as Rendered | undefined;
  const turn = stateRow(rows, TURN_KEY) as Turn | undefined;
  return {
    head,
    blocks: inOrder(blockRows(rows)),
    pages: pageRows(rows)
      .filter(({ messages }) => !messages.some(({ seq }) => erased.has(seq) && !bySeq.has(seq)))
      .map((row) => restorePage(row, bySeq)),
    ...(rendered && { rendered }),
    ...(summary && { summary }),
    ...(turn && { turn }),
  };
}

function blockRows(rows: readonly Row[]): Block[] {
  return rows.filter((row) => row.space === BLOCK_SPACE).map((row) => row.value as unknown as Block);
}

function stateRow(rows: readonly Row[], key: string): unknown {
  return rows.find((row) => row.space === STATE_SPACE && row.key === key)?.value;
}

function pageRows(rows: readonly Row[]): PageRow[] {
  return rows
    .filter((row) => row.space === STATE_SPACE && row.key.startsWith('page/'))
    .map((row) => row.value as unknown as PageRow)
    .toSorted((a, b) => a.id - b.id);
}

function restorePage(row: PageRow, bySeq: ReadonlyMap<Seq, LogEntry>): ResidentPage {
  const messages = row.messages.map(({ seq, tokens, stub }): ResidentMessage => {
    const entry = bySeq.get(seq);
    if (!entry) throw new PagefaultError('E_STORAGE', `message ${seq} of page ${row.id} is not in the log`);
    const message = stub ? stubMessage(entry.message, seq, stub) : entry.message;
    return { seq, message, ...(tokens !== undefined && { tokens }), ...(stub && { stub }) };
  });
  return makePage({ id: row.id, kind: row.kind, sealed: row.sealed, messages });
}

function unknownVersion(head: Head | undefined): PagefaultError {
  const found = head ? `version ${String(head.version)}` : 'no head row';
  return new PagefaultError('E_INVALID', `the stored state has ${found}; this kernel reads version 1`, {
    hint: 'open it with the kernel that wrote it',
  });
}
