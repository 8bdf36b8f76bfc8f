/** What an editor is told: the model in words, a caller by an error. Both see the text that is there now. */
import { PagefaultError } from '@pagefault/contracts';
import type { EditResult, Refused } from './blocks.js';
import type { Block } from './state.js';
import { codePoints, groupDigits } from './text.js';

const FOR_MODEL = {
  shorten: ' Shorten it with core_memory_replace first.',
  'look-again': ' Edit what is there now.',
} as const;

const FOR_USERS = {
  shorten: 'shorten it with `replace`, or raise its limit with `setLimit`',
  'look-again': 'read it again, and edit what is there now',
} as const;

export function toldToModel(result: EditResult): string {
  if (!result.ok) return refusalText(result);
  if (!result.block) return 'OK. The block is gone.';
  const { name, value, limit, version } = result.block;
  const size = `${groupDigits(codePoints(value))} of ${groupDigits(limit)} characters`;
  // The version tells whether the prefix, rendered at some version, shows the edit already.
  return `OK. Block "${name}" holds ${size} (version ${version}).`;
}

function refusalText({ problem, remedy, current }: Refused): string {
  if (!current) return `${problem.slice(0, 1).toUpperCase()}${problem.slice(1)}.`;
  return `Refused: ${problem}.${remedy ? FOR_MODEL[remedy] : ''}${textNow(current)}`;
}

/** `E_NOT_FOUND`, `E_BLOCK`, `E_CONFLICT` or `E_INVALID`. */
export function refusalError({ code, problem, remedy, current }: Refused): PagefaultError {
  const text = current ? `${problem}.${textNow(current)}` : problem;
  return new PagefaultError(code, text, remedy && { hint: FOR_USERS[remedy] });
}

function textNow({ value }: Block): string {
  return ` Its text now:\n${value}`;
}
