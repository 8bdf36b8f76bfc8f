/** Blocks as they are asked for, checked. */
import { PagefaultError } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import type { Block } from './state.js';
import { codePoints, groupDigits, normaliseText } from './text.js';

/** Beyond a million code points a block is no part of a context window, but a document. */
export const LARGEST_BLOCK = 1_000_000;

export interface NewBlock {
  /** A letter, then letters, digits, `_` or `-`; 64 at most. */
  readonly name: string;
  readonly value?: string;
  /** Code points, 1 to 1,000,000. Default `blockCharacters` of the limits. */
  readonly limit?: number;
  /** The model may read it and not edit it. Default false. */
  readonly readOnly?: boolean;
}

/** Errors: `E_INVALID` for a name or limit that is none a name that is there twice, or a value over its limit; `E_BLOCK` for too many. */
export function toBlocks(blocks: readonly NewBlock[], limits: Limits): readonly Block[] {
  const made = blocks.map((block) => toBlock(block, limits));
  const twice = made.find(({ name }, index) => made.findIndex((other) => other.name === name) !== index);
  if (twice) throw new PagefaultError('E_INVALID', `two blocks have the name "${twice.name}"`);
  if (made.length > limits.blocks) {
    throw new PagefaultError('E_BLOCK', `${made.length} blocks are more than the limit of ${limits.blocks}`, {
      hint: 'join some of them, or raise limits.blocks',
    });
  }
  return made;
}

/** Errors: as above. */
export function toBlock(block: NewBlock, limits: Limits): Block {
  const { name, limit = limits.blockCharacters, readOnly = false } = block;
  const value = normaliseText(block.value ?? '');
  const problem = nameProblem(name) ?? limitProblem(limit);
  if (problem !== undefined) throw new PagefaultError('E_INVALID', problem);
  const size = codePoints(value);
  if (size > limit) {
    throw new PagefaultError(
      'E_INVALID',
      `block "${name}" has ${groupDigits(size)} characters, its limit is ${groupDigits(limit)}`,
      { hint: 'shorten it, or give it a larger limit' },
    );
  }
  return { name, value, limit, version: 1, readOnly };
}

/** What is wrong with a name, if something is. */
export function nameProblem(name: string): string | undefined {
  if (/^[a-z][a-z0-9_-]{0,63}$/i.test(name)) return undefined;
  return `block name "${name.slice(0, 80)}" is not a letter followed by up to 63 letters, digits, _ or -`;
}

export function limitProblem(limit: number): string | undefined {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= LARGEST_BLOCK) return undefined;
  return `the limit ${limit} of a block is not a whole number from 1 to ${groupDigits(LARGEST_BLOCK)}`;
}
