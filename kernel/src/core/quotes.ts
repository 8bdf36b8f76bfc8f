/**
 * Finds text that repeats other text word for word, without keeping that text: runs of words are kept as fingerprints.
 * A text is quoted where five of its words stand in a row (all of them when it has three or four; eight when it is long,
 * for the longer it is the more runs it has that anybody may use), or an identifier of it: an address, a number with
 * letters. Less is no quote: everybody says "see you tomorrow".
 */
import { ERASURE } from '../limits.js';
import { foldedWords, identifiersOf } from './search/index.js';
import { fingerprint } from './text.js';

/** Serialisable, so that an erasure that was cut off still knows what to look for. */
export interface QuoteMarks {
  /** Fingerprints. */
  readonly marks: readonly string[];
  /** How many words the runs have. */
  readonly lengths: readonly number[];
}

export class QuoteFinder {
  readonly #marks: Set<string>;
  readonly #lengths: Set<number>;

  constructor({ marks, lengths }: QuoteMarks = { marks: [], lengths: [] }) {
    [this.#marks, this.#lengths] = [new Set(marks), new Set(lengths)];
  }

  /** Nothing was added that could be quoted. */
  get isEmpty(): boolean {
    return this.#marks.size === 0;
  }

  /** More was added than is looked for. */
  get isPartial(): boolean {
    return this.#marks.size >= ERASURE.quoteMarks;
  }

  /** From now on, who repeats `text` quotes. */
  add(text: string): void {
    if (this.isPartial) return;
    const words = foldedWords(text);
    for (const name of identifiersOf(text)) if (isTelling(name)) this.#marks.add(fingerprint(name));
    if (words.length < ERASURE.shortestQuote) return;
    const { quotedRun, longText, longTextRun } = ERASURE;
    const length = Math.min(words.length > longText ? longTextRun : quotedRun, words.length);
    this.#lengths.add(length);
    for (const run of runs(words, length)) this.#marks.add(run);
  }

  isQuotedIn(text: string): boolean {
    if (this.#marks.size === 0) return false;
    if (identifiersOf(text).some((name) => this.#marks.has(fingerprint(name)))) return true;
    const words = foldedWords(text);
    for (const length of this.#lengths) {
      for (const run of runs(words, length)) if (this.#marks.has(run)) return true;
    }
    return false;
  }

  toMarks(): QuoteMarks {
    return { marks: [...this.#marks], lengths: [...this.#lengths] };
  }
}

/** A date or an amount stands in many texts. */
function isTelling(name: string): boolean {
  return name.length >= ERASURE.shortestIdentifier && /\p{L}/u.test(name) && /[\d@]/u.test(name);
}

function* runs(words: readonly string[], length: number): Generator<string> {
  for (let from = 0; from + length <= words.length; from++)
    yield fingerprint(words.slice(from, from + length).join(' '));
}
