/** A passage as a program archives it, checked and made storable. */
import type { Lineage, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { NewPassage } from '../../core/events.js';
import { codePoints, isBlank, normaliseText } from '../../core/text.js';
import type { Limits } from '../../limits.js';
import { checkedId } from '../messages.js';
import { readPassages } from '../storage.js';

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

/** Those that the lineage does not have yet, each once. */
export async function missingPassages(
  recall: RecallDriver,
  lineage: Lineage,
  passages: readonly NewPassage[],
): Promise<readonly NewPassage[]> {
  const unique = [...new Map(passages.map((passage) => [passage.id, passage])).values()];
  const known = await readPassages(
    recall,
    lineage,
    unique.map(({ id }) => id),
  );
  return unique.filter(({ id }) => !known.has(id));
}
