/** The text of a note: what of a block is different from what the model knows, in as few words as it takes. */
import type { Block } from '../state.js';
import { renderBlock } from './rendering.js';

/** `by`: who changed it. Undefined when nothing is different after all. */
export function blockNote(
  before: Block | undefined,
  after: Block | undefined,
  by: readonly string[],
): string | undefined {
  const who = by.map((name) => JSON.stringify(name)).join(', ');
  if (!after) return before && `[Block "${before.name}" was removed by ${who}.]`;
  if (!before) return `[Block "${after.name}" was added by ${who}:\n${renderBlock(after)}]`;
  if (renderBlock({ ...before, version: after.version }) === renderBlock(after)) return undefined;
  const renamed = before.name === after.name ? '' : `renamed from "${before.name}" and `;
  const whole = `[Block "${after.name}" was ${renamed}changed by ${who}. It reads now:\n${renderBlock(after)}]`;
  if (renamed || before.limit !== after.limit || before.readOnly !== after.readOnly) return whole;
  const lines = changedLines(before.value, after.value);
  const short = `[Block "${after.name}" was changed by ${who} and is at version ${after.version}. Lines taken out (-) and put in (+):\n${lines}]`;
  return short.length < whole.length ? short : whole;
}

/** What lies between the lines that both begin with and those that both end with. */
function changedLines(before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end++;
  const gone = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const come = fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`);
  return [...gone, ...come].join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}
