/**
 * Shared blocks in recall: one value for several processes, owned by an id of its own. Every edit is one commit on the
 * owner's row, which must still be the one that was read; nobody holds a lease on it. A mark in the same commit tells
 * whether an edit was made, so that a call that runs again after a crash does not make it a second time (C11).
 */
import type { Expectation, Instant, Json, Pid, Put, RecallDriver, Row } from '@pagefault/contracts';
import { hasCode, PagefaultError } from '@pagefault/contracts';
import type { Author, BlockEdit, SharedView } from '../../core/block-edit.js';
import { historyKey, type StoredVersion } from '../../core/block-history.js';
import { type EditContext, editBlocks, type EditResult, type Refused } from '../../core/blocks.js';
import type { Views } from '../../core/events.js';
import { sharedIds, withViews } from '../../core/shared-view.js';
import type { Block } from '../../core/state.js';
import { SLICE } from '../storage.js';

export const SHARED_SPACE = 'shared-block';
const OWNER_KEY = { space: SHARED_SPACE, key: 'block' } as const;
/** By process: the last edit that one of its calls made. */
export const MARK_SPACE = 'shared-edits';

/** Each try that fails means that another edit was made meanwhile: more of them is no rush but a broken store. */
const MOST_TRIES = 1_000;

/** The owner's row. */
export interface StoredShared {
  readonly block: Block;
  /** Who edited it last. */
  readonly by: Author;
}

interface FoundShared extends StoredShared {
  /** Of the row, for `expect`. */
  readonly rowVersion: number;
}

/** What makes an edit happen once. */
export interface EditMark {
  readonly pid: Pid;
  /** Unique in the process. */
  readonly edit: string;
}

export interface SharedEdit {
  /** What the editor calls the block. Default: its own name. */
  readonly name?: string;
  readonly context: EditContext;
  readonly mark?: EditMark;
  /** Decides on what is stored now; asked again when another edit came first. */
  make(block: Block): BlockEdit | Promise<BlockEdit>;
}

export interface SharedEdited {
  /** About the block under the editor's name for it. */
  readonly result: EditResult;
  readonly view: SharedView;
}

/** Its history begins at once, so that it has a key whatever the editors call it. */
export async function storeShared(
  recall: RecallDriver,
  id: string,
  block: Block,
  by: Author,
  at: Instant,
): Promise<void> {
  const history = { key: 'value', versions: [block.version], shown: block.version };
  const first: StoredVersion = { value: block.value, by, at };
  await recall.commit({
    pid: id,
    expect: [{ ...OWNER_KEY, version: 0 }],
    puts: [
      ownerPut({ block: { ...block, history }, by }),
      { ...historyKey(history.key, block.version), value: { ...first } },
    ],
  });
}

/** Errors: `E_NOT_FOUND`. */
export async function readShared(recall: RecallDriver, id: string): Promise<FoundShared> {
  const [row] = await recall.get(id, [OWNER_KEY]);
  if (row) return found(row);
  throw new PagefaultError('E_NOT_FOUND', `there is no shared block ${id}`, {
    hint: '`kernel.listSharedBlocks()` lists them',
  });
}

/** One read for each; those that are no more are told apart. */
export async function readViews(recall: RecallDriver, ids: readonly string[]): Promise<Views> {
  const rows = await Promise.all(ids.map((id) => recall.get(id, [OWNER_KEY])));
  const views = rows.flatMap(([row], index) => (row ? viewOf(ids[index] ?? '', found(row)) : []));
  return { views, gone: ids.filter((_, index) => rows[index]?.length === 0) };
}

/** Blocks with the shared ones as they are now; without a read when there are none. */
export async function currentBlocks(
  recall: RecallDriver,
  blocks: readonly Block[],
): Promise<readonly Block[]> {
  const ids = sharedIds(blocks);
  return ids.length === 0 ? blocks : withViews(blocks, await readViews(recall, ids));
}

export async function listShared(recall: RecallDriver): Promise<readonly SharedView[]> {
  const views: SharedView[] = [];
  for (let after: string | undefined; ;) {
    const slice = await recall.scan(SHARED_SPACE, { limit: SLICE, ...(after !== undefined && { after }) });
    views.push(...slice.items.map((row) => viewOf(row.pid, found(row))));
    if (slice.cursor === undefined) return views;
    after = slice.cursor;
  }
}

export function viewOf(id: string, { block, by }: StoredShared): SharedView {
  const { name, value, limit, version } = block;
  return { id, name, value, limit, version, by };
}

/** Errors: `E_NOT_FOUND`, `E_STORAGE`. What the rules refuse is a result. */
export async function editShared(recall: RecallDriver, id: string, edit: SharedEdit): Promise<SharedEdited> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const edited = await tryEdit(recall, id, edit);
    if (edited) return edited;
  }
  throw new PagefaultError(
    'E_CONFLICT',
    `shared block ${id} changed at each of ${MOST_TRIES} tries to edit it`,
    {
      retryable: true,
    },
  );
}

/** Undefined when another edit came first. */
async function tryEdit(
  recall: RecallDriver,
  id: string,
  edit: SharedEdit,
): Promise<SharedEdited | undefined> {
  const { stored, isMade } = await readFor(recall, id, edit.mark);
  const known = { ...stored.block, name: edit.name ?? stored.block.name };
  if (isMade) return { result: unchanged(known), view: viewOf(id, stored) };
  const request = await edit.make(known);
  const result = editBlocks([known], request, edit.context);
  if (!result.ok || !result.block || result.block === known) return { result, view: viewOf(id, stored) };
  const name = request.kind === 'rename' ? result.block.name : stored.block.name;
  const next: StoredShared = { block: { ...result.block, name }, by: edit.context.by };
  const expect: Expectation[] = [{ ...OWNER_KEY, version: stored.rowVersion }];
  const puts = [ownerPut(next), ...result.puts, ...markPuts(edit.mark)];
  try {
    await recall.commit({ pid: id, expect, puts, deletes: result.deletes });
    return { result, view: viewOf(id, next) };
  } catch (error) {
    if (hasCode(error, 'E_CONFLICT')) return undefined;
    throw error;
  }
}

async function readFor(
  recall: RecallDriver,
  id: string,
  mark: EditMark | undefined,
): Promise<{ readonly stored: FoundShared; readonly isMade: boolean }> {
  if (!mark) return { stored: await readShared(recall, id), isMade: false };
  const rows = await recall.get(id, [OWNER_KEY, { space: MARK_SPACE, key: mark.pid }]);
  const owner = rows.find(({ space }) => space === SHARED_SPACE);
  const made = rows.find(({ space }) => space === MARK_SPACE)?.value as
    { readonly edit?: string } | undefined;
  const stored = owner ? found(owner) : await readShared(recall, id);
  return { stored, isMade: made?.edit === mark.edit };
}

function unchanged(block: Block): EditResult {
  return { ok: true, blocks: [block], block, puts: [], deletes: [] };
}

function markPuts(mark: EditMark | undefined): Put[] {
  return mark ? [{ space: MARK_SPACE, key: mark.pid, value: { edit: mark.edit } }] : [];
}

function ownerPut(stored: StoredShared): Put {
  return { ...OWNER_KEY, value: stored as unknown as Json };
}

function found(row: Row): FoundShared {
  return { ...(row.value as unknown as StoredShared), rowVersion: row.version };
}

/** For a block whose owner is no more. */
export function goneRefusal(name: string): Refused {
  return { ok: false, code: 'E_NOT_FOUND', problem: `the shared block "${name}" is no more` };
}
