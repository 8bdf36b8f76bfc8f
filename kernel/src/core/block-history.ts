/**
 * The history of a block: one row a value, by the version that brought it, bounded. Undo and redo move along it and
 * write no row; a new value gives up what was undone. It begins with the first edit, so that a block that nobody edits
 * costs nothing.
 */
import type { Instant, Json, Put, RowKey } from '@pagefault/contracts';
import { type Author, PROGRAM } from './block-edit.js';
import type { Block, BlockHistory } from './state.js';

export const BLOCK_HISTORY_SPACE = 'block-history';

/** A row of the history. */
export interface StoredVersion {
  readonly value: string;
  readonly by: Author;
  /** Unknown of a first value. */
  readonly at?: Instant;
}

/** A block that was changed, and what becomes of its history's rows. */
export interface Versioned {
  readonly block: Block;
  readonly puts: readonly Put[];
  readonly deletes: readonly RowKey[];
}

export interface Origin {
  readonly by: Author;
  readonly at: Instant;
  /** How many values the history keeps. */
  readonly keep: number;
}

/** The block with a new value. `freeKey` is where its history is kept when it begins now. */
export function withValue(block: Block, value: string, freeKey: string, origin: Origin): Versioned {
  const version = block.version + 1;
  const { key, versions, shown } = block.history ?? begin(block, freeKey);
  const all = [...versions.filter((past) => past <= shown), version];
  const kept = all.slice(-origin.keep);
  const first: StoredVersion = { value: block.value, by: PROGRAM };
  const rows: [number, StoredVersion][] = [
    ...(block.history ? [] : [[block.version, first] as [number, StoredVersion]]),
    [version, { value, by: origin.by, at: origin.at }],
  ];
  const gone = versions.filter((past) => !kept.includes(past));
  return {
    block: { ...block, value, version, history: { key, versions: kept, shown: version } },
    puts: rows.filter(([row]) => kept.includes(row)).map(([row, stored]) => putOf(key, row, stored)),
    deletes: block.history ? gone.map((row) => historyKey(key, row)) : [],
  };
}

function begin(block: Block, key: string): BlockHistory {
  return { key, versions: [block.version], shown: block.version };
}

/** The block with a value of its history. It is a new version, for whoever reads it must notice. */
export function withRestored(block: Block, history: BlockHistory, shown: number, value: string): Block {
  return { ...block, value, version: block.version + 1, history: { ...history, shown } };
}

/** All rows of a block that is removed. */
export function historyKeys({ history }: Block): RowKey[] {
  return history?.versions.map((version) => historyKey(history.key, version)) ?? [];
}

/**
 * The version whose value an undo brings back: the one before, or `to` when it is an earlier one. Undefined when there
 * is none.
 */
export function undoTarget({ history }: Block, to?: number): number | undefined {
  const past = history?.versions.filter((version) => version < history.shown) ?? [];
  return to === undefined ? past.at(-1) : past.find((version) => version === to);
}

/** The same for a redo, among those that were undone. */
export function redoTarget({ history }: Block, to?: number): number | undefined {
  const undone = history?.versions.filter((version) => version > history.shown) ?? [];
  return to === undefined ? undone[0] : undone.find((version) => version === to);
}

/** Padded, so that keys sort like numbers. */
export function historyKey(key: string, version: number): RowKey {
  return { space: BLOCK_HISTORY_SPACE, key: `${key}/${String(version).padStart(12, '0')}` };
}

function putOf(key: string, version: number, stored: StoredVersion): Put {
  return { ...historyKey(key, version), value: { ...stored } satisfies Json };
}

/** A key that no other block's history has: a block that was renamed keeps its own. */
export function freeHistoryKey(blocks: readonly Block[], name: string): string {
  const taken = new Set(blocks.map(({ history }) => history?.key));
  let key = name;
  // `~` is in no block's name.
  for (let count = 2; taken.has(key); count++) key = `${name}~${count}`;
  return key;
}

/** Blocks as a copy of the process gets them: the rows of their history are the original's. */
export function withoutHistory(blocks: readonly Block[]): readonly Block[] {
  return blocks.map(({ history: _, ...block }) => block);
}
