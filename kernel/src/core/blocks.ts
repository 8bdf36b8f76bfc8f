/**
 * Edits of the working context. One function on every path - the model's calls, the API, undo and redo - so that no path
 * can pass a limit (A61); an edit that shrinks an over-full block is always allowed (A62). An edit that changes nothing
 * is accepted, and leaves everything as it is.
 */
import type { ErrorCode, Instant, Put, RowKey } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import { type Author, type BlockChange, type BlockEdit, MODEL, type ValueEdit } from './block-edit.js';
import { freeHistoryKey, historyKeys, withRestored, withValue, type Versioned } from './block-history.js';
import { limitProblem, nameProblem } from './new-block.js';
import { type Block, inOrder } from './state.js';
import { codePoints, groupDigits, normaliseText } from './text.js';

export interface EditContext {
  readonly by: Author;
  readonly at: Instant;
  readonly limits: Pick<Limits, 'blocks' | 'blockVersions'>;
}

export type EditResult = Accepted | Refused;

export interface Accepted {
  readonly ok: true;
  /** The very list that was given when nothing changed. */
  readonly blocks: readonly Block[];
  /** The block as it is now; none when it was removed. */
  readonly block: Block | undefined;
  /** Rows of the history. */
  readonly puts: readonly Put[];
  readonly deletes: readonly RowKey[];
}

export interface Refused {
  readonly ok: false;
  readonly code: ErrorCode;
  readonly problem: string;
  readonly remedy?: 'shorten' | 'look-again';
  /** The block that is there, so that the editor can see what to edit instead. */
  readonly current?: Block;
}

export function editBlocks(blocks: readonly Block[], edit: BlockEdit, context: EditContext): EditResult {
  if (edit.kind === 'add') return add(blocks, newBlock(edit), context);
  if (edit.kind === 'attach') return attach(blocks, edit, context);
  const block = blocks.find((candidate) => candidate.name === edit.name);
  if (!block) return refuse('E_NOT_FOUND', `there is no block "${edit.name}". Blocks: ${names(blocks)}`);
  if (edit.expect !== undefined && edit.expect !== block.version) return stale(block, edit.expect);
  if (block.readOnly && context.by === MODEL)
    return refuse('E_BLOCK', `the block "${block.name}" is read-only`);
  if (block.shared && isOwners(edit)) return refuse('E_BLOCK', `block "${block.name}" is shared: ${OWNERS}`);
  return isValueEdit(edit) ? editValue(blocks, block, edit, context) : change(blocks, block, edit);
}

const OWNERS = 'its value and limit are changed at its owner, and to be rid of it detach it';

/** What is not the process's own to change. */
function isOwners(edit: BlockEdit): boolean {
  return isValueEdit(edit) || edit.kind === 'limit' || edit.kind === 'remove';
}

/** An edit from an old read, with the new text. */
export function stale(block: Block, expected: number): Refused {
  const problem = `block "${block.name}" is at version ${block.version}, and the edit is of version ${expected}: it was changed meanwhile`;
  return { ...refuse('E_CONFLICT', problem), remedy: 'look-again', current: block };
}

function isValueEdit(edit: BlockEdit): edit is ValueEdit {
  return edit.kind === 'append' || edit.kind === 'replace' || edit.kind === 'set' || edit.kind === 'restore';
}

function editValue(
  blocks: readonly Block[],
  block: Block,
  edit: ValueEdit,
  { by, at, limits }: EditContext,
): EditResult {
  const value = newValue(block, edit);
  if (value === undefined) return notFound(block);
  if (value === block.value && edit.kind !== 'restore') return accept(blocks, block, block);
  if (!fits(block, value)) return tooLong(block, value);
  if (edit.kind === 'restore' && block.history)
    return accept(blocks, block, withRestored(block, block.history, edit.version, value));
  const freeKey = freeHistoryKey(blocks, block.name);
  return acceptVersion(
    blocks,
    block,
    withValue(block, value, freeKey, { by, at, keep: limits.blockVersions }),
  );
}

function newValue(block: Block, edit: ValueEdit): string | undefined {
  switch (edit.kind) {
    case 'append':
      return appended(block.value, normaliseText(edit.content));
    case 'replace':
      return replaced(block.value, normaliseText(edit.from), normaliseText(edit.to));
    case 'set':
    case 'restore':
      return normaliseText(edit.value);
  }
}

function appended(value: string, addition: string): string {
  if (addition === '') return value;
  return value === '' ? addition : `${value}\n${addition}`;
}

/** The first place only; a function, so that `$&` in the new text stays as it is. */
function replaced(value: string, from: string, to: string): string | undefined {
  return from === '' || !value.includes(from) ? undefined : value.replace(from, () => to);
}

function fits(block: Block, value: string): boolean {
  const size = codePoints(value);
  return size <= block.limit || size < codePoints(block.value);
}

function tooLong(block: Block, value: string): Refused {
  const [size, limit] = [codePoints(value), block.limit].map(groupDigits);
  const problem = `block "${block.name}" would hold ${size} characters, its limit is ${limit}`;
  return { ...refuse('E_BLOCK', problem), remedy: 'shorten', current: block };
}

function notFound(block: Block): Refused {
  return { ...refuse('E_BLOCK', `the old content is not in block "${block.name}"`), current: block };
}

function change(
  blocks: readonly Block[],
  block: Block,
  edit: Exclude<BlockChange, { kind: 'add' | 'attach' }>,
): EditResult {
  switch (edit.kind) {
    case 'limit':
      return changeLimit(blocks, block, edit.limit);
    case 'read-only':
      if (block.readOnly === edit.readOnly) return accept(blocks, block, block);
      return accept(blocks, block, { ...nextVersion(block), readOnly: edit.readOnly });
    case 'rename':
      return rename(blocks, block, edit.to);
    case 'detach':
      if (!block.shared) return refuse('E_BLOCK', `block "${block.name}" is not shared; remove it instead`);
      return acceptVersion(blocks, block, { block: undefined, puts: [], deletes: [] });
    case 'remove':
      return acceptVersion(blocks, block, { block: undefined, puts: [], deletes: historyKeys(block) });
  }
}

/** A limit may be set below what the block holds: then it can only shrink. */
function changeLimit(blocks: readonly Block[], block: Block, limit: number): EditResult {
  const problem = limitProblem(limit);
  if (problem !== undefined) return refuse('E_INVALID', problem);
  if (limit === block.limit) return accept(blocks, block, block);
  return accept(blocks, block, { ...nextVersion(block), limit });
}

/** A shared block's version is its owner's. */
function nextVersion(block: Block): Block {
  return block.shared ? block : { ...block, version: block.version + 1 };
}

function rename(blocks: readonly Block[], block: Block, name: string): EditResult {
  if (name === block.name) return accept(blocks, block, block);
  const shared = block.shared && { ...block.shared, ownName: true as const };
  const renamed = { ...nextVersion(block), name, ...(shared && { shared }) };
  return refuseName(blocks, name) ?? accept(blocks, block, renamed);
}

function newBlock({ name, value, limit, readOnly }: Extract<BlockEdit, { kind: 'add' }>): Block {
  return { name, value, limit, version: 1, readOnly };
}

function add(blocks: readonly Block[], block: Block, { limits }: EditContext): EditResult {
  const refusal = refuseName(blocks, block.name);
  if (refusal) return refusal;
  if (blocks.length >= limits.blocks)
    return refuse('E_BLOCK', `there are ${blocks.length} blocks already, the limit is ${limits.blocks}`);
  if (!block.shared && codePoints(block.value) > block.limit)
    return tooLong({ ...block, value: '' }, block.value);
  return { ok: true, blocks: inOrder([...blocks, block]), block, puts: [], deletes: [] };
}

/** Once only: a block that stood in view twice would be paid for twice (122). */
function attach(
  blocks: readonly Block[],
  { name, view, readOnly, ownName }: Extract<BlockEdit, { kind: 'attach' }>,
  context: EditContext,
): EditResult {
  const twin = blocks.find(({ shared }) => shared?.id === view.id);
  if (twin) return refuse('E_BLOCK', `the shared block is attached already, as "${twin.name}"`);
  const shared = { id: view.id, ...(ownName && { ownName }) };
  const { value, limit, version } = view;
  return add(blocks, { name, value, limit, version, readOnly, shared }, context);
}

function refuseName(blocks: readonly Block[], name: string): Refused | undefined {
  const problem = nameProblem(name);
  if (problem !== undefined) return refuse('E_INVALID', problem);
  const isTaken = blocks.some((other) => other.name === name);
  return isTaken ? refuse('E_INVALID', `there is a block "${name}" already`) : undefined;
}

function accept(blocks: readonly Block[], before: Block, after: Block): Accepted {
  return acceptVersion(blocks, before, { block: after, puts: [], deletes: [] });
}

function acceptVersion(
  blocks: readonly Block[],
  before: Block,
  { block, puts, deletes }: Omit<Versioned, 'block'> & { readonly block: Block | undefined },
): Accepted {
  if (block === before) return { ok: true, blocks, block, puts, deletes };
  const changed = blocks.flatMap((other) => (other === before ? (block ?? []) : other));
  return { ok: true, blocks: inOrder(changed), block, puts, deletes };
}

function refuse(code: ErrorCode, problem: string): Refused {
  return { ok: false, code, problem };
}

function names(blocks: readonly Block[]): string {
  return blocks.map((block) => block.name).join(', ') || 'none';
}
