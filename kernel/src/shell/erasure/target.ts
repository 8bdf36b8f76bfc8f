/** What a caller wants erased, checked. */
import type { Message, MessageId } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { normaliseText } from '../../core/text.js';

/** Exactly one of these. */
export type ErasureTarget =
  /** By id, also those that still wait in the inbox. */
  | { readonly messages: readonly MessageId[] }
  /** All messages of whoever speaks under this name. */
  | { readonly speaker: string }
  /** All passages of this source, and the mapped document of this name. */
  | { readonly source: string }
  /** By id. */
  | { readonly passages: readonly string[] }
  /** Earlier values of this block: its history begins anew with the value that it has. */
  | { readonly history: string };

export interface CheckedTarget {
  readonly messages: ReadonlySet<MessageId>;
  readonly speaker?: string;
  readonly source?: string;
  readonly passages: ReadonlySet<string>;
  readonly history?: string;
}

export const NO_TARGET: CheckedTarget = Object.freeze({
  messages: new Set<MessageId>(),
  passages: new Set<string>(),
});

const KINDS = ['messages', 'speaker', 'source', 'passages', 'history'] as const;

/** What was left out is never taken for everything (B35). Errors: `E_INVALID`. */
export function checkedTarget(target: ErasureTarget): CheckedTarget {
  const given: Readonly<Record<string, unknown>> = { ...target };
  const [kind, ...others] = KINDS.filter((name) => given[name] !== undefined);
  if (!kind || others.length > 0 || isEmpty(given[kind])) throw unclear(kind, others);
  if ('messages' in target) return { ...NO_TARGET, messages: new Set(target.messages) };
  if ('passages' in target) return { ...NO_TARGET, passages: new Set(target.passages) };
  return { ...NO_TARGET, [kind]: normaliseText(String(given[kind])) };
}

export function isMeant({ messages, speaker }: CheckedTarget, { id, name }: Message): boolean {
  return messages.has(id) || (speaker !== undefined && name === speaker);
}

export function isPassageMeant(
  { passages, source }: CheckedTarget,
  passage: { readonly id: string; readonly source?: string },
): boolean {
  return passages.has(passage.id) || (source !== undefined && passage.source === source);
}

export function namesMessages({ messages, speaker }: CheckedTarget): boolean {
  return messages.size > 0 || speaker !== undefined;
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' ? value === '' : !Array.isArray(value) || value.length === 0;
}

function unclear(kind: string | undefined, others: readonly string[]): PagefaultError {
  const problem =
    kind === undefined
      ? 'names nothing'
      : others.length > 0
        ? `names ${[kind, ...others].join(' and ')} at once`
        : `names no ${kind}`;
  return new PagefaultError('E_INVALID', `what is to be erased ${problem}`, {
    hint: `give exactly one of ${KINDS.join(', ')}, and not an empty one`,
  });
}
