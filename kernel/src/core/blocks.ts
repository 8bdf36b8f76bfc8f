/**
 * Edits of the working context. One function on every path, so that no path can pass a limit (A61); an
 * edit that shrinks an over-full block is always allowed (A62).
 */
import type { BlockEdit } from './events.js';
import type { Block } from './state.js';
import { codePoints, groupDigits, normaliseText } from './text.js';

export type EditResult =
  | { readonly ok: true; readonly blocks: readonly Block[]; readonly text: string }
  | { readonly ok: false; readonly text: string };

export function applyEdit(blocks: readonly Block[], edit: BlockEdit): EditResult {
  const block = blocks.find((candidate) => candidate.name === edit.name);
  if (!block) return refuse(`There is no block "${edit.name}". Blocks: ${names(blocks)}.`);
  if (block.readOnly) return refuse(`The block "${block.name}" is read-only.`);
  const value = edit.kind === 'append' ? appended(block, edit.content) : replaced(block, edit);
  if (value === undefined) return refuse(notFound(block));
  return fits(block, value) ? accept(blocks, block, value) : refuse(tooLong(block, value));
}

function appended(block: Block, content: string): string {
  const addition = normaliseText(content);
  return block.value === '' ? addition : `${block.value}\n${addition}`;
}

function replaced(block: Block, edit: Extract<BlockEdit, { kind: 'replace' }>): string | undefined {
  const from = normaliseText(edit.from);
  if (from === '' || !block.value.includes(from)) return undefined;
  // A function, so that `$&` in the new text stays as it is.
  return block.value.replace(from, () => normaliseText(edit.to));
}

function fits(block: Block, value: string): boolean {
  const size = codePoints(value);
  return size <= block.limit || size < codePoints(block.value);
}

function accept(blocks: readonly Block[], block: Block, value: string): EditResult {
  const next = { ...block, value, version: block.version + 1 };
  const text = `OK. Block "${block.name}" holds ${groupDigits(codePoints(value))} of ${groupDigits(block.limit)} characters.`;
  return { ok: true, blocks: blocks.map((other) => (other === block ? next : other)), text };
}

function refuse(text: string): EditResult {
  return { ok: false, text };
}

function tooLong(block: Block, value: string): string {
  return (
    `Refused: block "${block.name}" would hold ${groupDigits(codePoints(value))} characters, its limit is ` +
    `${groupDigits(block.limit)}. Shorten it with core_memory_replace first. Its text now:\n${block.value}`
  );
}

function notFound(block: Block): string {
  return `Refused: the old content is not in block "${block.name}". Its text now:\n${block.value}`;
}

function names(blocks: readonly Block[]): string {
  return blocks.map((block) => block.name).join(', ') || 'none';
}
