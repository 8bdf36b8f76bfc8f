import { createHash } from 'node:crypto';
import {
  systemBlocks,
  turnsOf,
  type CountRequest,
  type RedactedThinkingBlock,
  type ThinkingBlock,
  type WireBlock,
} from './types.js';

/** What a signature vouches for: which model thought it, what, and behind which conversation. */
export interface Signer {
  sign(thinking: string, prefix: string): string;
  seal(thinking: string, prefix: string): string;
}

const SECRET = 'only the double knows it';

export function signerOf(model: string): Signer {
  const seal = (kind: string, thinking: string, prefix: string): string =>
    `${hash([SECRET, kind, model, thinking])}.${prefix}`;
  return {
    sign: (thinking, prefix) => seal('thinking', thinking, prefix),
    seal: (thinking, prefix) => {
      const content = Buffer.from(thinking).toString('base64');
      return `${content}.${seal('redacted', content, prefix)}`;
    },
  };
}

/** Whether the model gave this block, and which prefix it is bound to. */
export function readSignature(
  model: string,
  block: ThinkingBlock | RedactedThinkingBlock,
): { readonly prefix: string } | undefined {
  const parts = (block.type === 'thinking' ? block.signature : block.data).split('.');
  const prefix = parts.at(-1) ?? '';
  const signer = signerOf(model);
  const expected =
    block.type === 'thinking'
      ? signer.sign(block.thinking, prefix)
      : signer.seal(Buffer.from(parts[0] ?? '', 'base64').toString(), prefix);
  return expected === parts.join('.') ? { prefix } : undefined;
}

/** What a block is bound to: everything that stands before it, whatever of it is marked for the cache. */
export function prefixHash(request: CountRequest, before: readonly (readonly [string, WireBlock])[]): string {
  return hash([
    JSON.stringify(systemBlocks(request.system).map(unmarked)),
    JSON.stringify((request.tools ?? []).map(unmarked)),
    ...before.map(([role, block]) => role + JSON.stringify(unmarked(block))),
  ]);
}

/** Every block of the conversation with its role. */
export function spokenBlocks(request: CountRequest): [string, WireBlock][] {
  return turnsOf(request.messages).flatMap(({ role, blocks }) =>
    blocks.map((block): [string, WireBlock] => [role, block]),
  );
}

export function unmarked(block: object): object {
  return Object.fromEntries(Object.entries(block).filter(([key]) => key !== 'cache_control'));
}

function hash(parts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:${part}`);
  return sum.digest('hex').slice(0, 32);
}
