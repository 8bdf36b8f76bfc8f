/** A passage as a program archives it, checked and made storable. */
import { PagefaultError } from '@pagefault/contracts';
import type { NewPassage } from '../core/events.js';
import { codePoints, isBlank, normaliseText } from '../core/text.js';
import type { Limits } from '../limits.js';
import { checkedId } from './messages.js';

/** A passage as it is given to `archive`. */
export interface IncomingPassage {
  readonly text: string;
  /** Where it is from. Passages of one source are neighbours in search, in the order in which they are given. */
  readonly source?: string;
  /** Default: minted. The same id is stored once. 1 to 128 characters. */
  readonly id?: string;
}

/** Errors: `E_INVALID` for an empty or too long text, or an id that is none. */
export function toPassage(
  { text, source, id }: IncomingPassage,
  mintId: () => string,
  { passageCharacters }: Pick<Limits, 'passageCharacters'>,
): NewPassage {
  const clean = normaliseText(text);
  const size = codePoints(clean);
  if (isBlank(clean)) throw new PagefaultError('E_INVALID', 'a passage is empty');
  if (size > passageCharacters) {
    throw new PagefaultError(
      'E_INVALID',
      `a passage has ${size} characters, the limit is ${passageCharacters}`,
      { hint: 'cut it into chunks' },
    );
  }
  return {
    id: id === undefined ? mintId() : checkedId(id),
    text: clean,
    ...(source !== undefined && { source: normaliseText(source) }),
  };
}
