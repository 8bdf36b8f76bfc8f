import { inspect } from 'node:util';
import { PagefaultError } from '@pagefault/contracts';
import { type Colours, coloursFor } from './colours.js';
import { printable } from './printable.js';

const PLAIN = coloursFor({ isTTY: false, env: {} });

/**
 * An error for people, whose words may come from a server: `error[E_CODE]: message`, the chain of causes that say more, and `hint: …`.
 * Stacks are for bugs: they are shown for an error that is not ours.
 */
export function formatError(error: unknown, colours: Colours = PLAIN): string {
  const lines = [`${colours.red(head(error))}: ${printable(messageOf(error))}`];
  for (const cause of causesOf(error)) lines.push(`  ${colours.dim('because:')} ${printable(cause)}`);
  if (PagefaultError.is(error) && error.hint !== undefined)
    lines.push(`${colours.cyan('hint')}: ${printable(error.hint)}`);
  if (!PagefaultError.is(error) && error instanceof Error) lines.push(...stackOf(error).map(colours.dim));
  return lines.join('\n');
}

function head(error: unknown): string {
  return PagefaultError.is(error) ? `error[${error.code}]` : 'error';
}

function messageOf(error: unknown): string {
  const message = wordsOf(error);
  return message === '' ? 'no message was given' : message;
}

// Code that was compiled to WebAssembly throws objects that are no errors, some with a name or a number alone.
function wordsOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  if ('message' in error && typeof error.message === 'string') return error.message;
  return inspect(error, { depth: 0, breakLength: Infinity });
}

/** Deeper than this is noise; the limit also ends a ring of causes. */
const MAX_CAUSES = 4;

// Causes whose words are already in the lines before say nothing new.
function causesOf(error: unknown): string[] {
  const causes: string[] = [];
  let said = messageOf(error);
  let cause = causeOf(error);
  for (let depth = 0; cause !== undefined && depth < MAX_CAUSES; depth += 1) {
    const message = messageOf(cause);
    if (!said.includes(message)) causes.push(message);
    said += `\n${message}`;
    cause = causeOf(cause);
  }
  return causes;
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause ?? undefined) : undefined;
}

function stackOf(error: Error): string[] {
  return (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
}
