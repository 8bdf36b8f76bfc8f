import type { PageId, Tokens } from '@pagefault/contracts';
import type { Candidate } from './victims.js';

/** Pages from the least to the most recently added, and what they take together. */
export class SizedList {
  readonly #sizes = new Map<PageId, Tokens>();
  #tokens: Tokens = 0;

  get tokens(): Tokens {
    return this.#tokens;
  }

  get length(): number {
    return this.#sizes.size;
  }

  /** To the end, also when it is there. */
  push(id: PageId, tokens: Tokens): void {
    this.remove(id);
    this.#sizes.set(id, tokens);
    this.#tokens += tokens;
  }

  /** What it took; undefined when it was not there. */
  remove(id: PageId): Tokens | undefined {
    const tokens = this.#sizes.get(id);
    if (tokens === undefined) return undefined;
    this.#sizes.delete(id);
    this.#tokens -= tokens;
    return tokens;
  }

  /** From the front, while `isTooMuch` says so. */
  trim(isTooMuch: () => boolean): void {
    for (const id of this.#sizes.keys()) {
      if (!isTooMuch()) return;
      this.remove(id);
    }
  }

  *pages(): Generator<Candidate> {
    for (const [id, tokens] of this.#sizes) yield { id, tokens };
  }

  rows(): [PageId, Tokens][] {
    return [...this.#sizes];
  }

  load(rows: Iterable<readonly [PageId, Tokens]>): void {
    this.#sizes.clear();
    this.#tokens = 0;
    for (const [id, tokens] of rows) this.push(id, tokens);
  }
}
