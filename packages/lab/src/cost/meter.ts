import type { Tokens } from '@pagefault/contracts';
import type { BandedTally, TokenTally } from './tally.js';

type Open = { -readonly [Key in keyof TokenTally]: TokenTally[Key] };

/** Counts what calls cost, in two bands by the size of their input. */
export class Meter {
  readonly #bands = { short: zero(), long: zero() };
  readonly #longAbove: Tokens;

  constructor(longAbove: Tokens) {
    this.#longAbove = longAbove;
  }

  add(read: Tokens, written: Tokens, plain: Tokens, output: Tokens): void {
    const band = this.#bands[read + written + plain > this.#longAbove ? 'long' : 'short'];
    band.read += read;
    band.written += written;
    band.plain += plain;
    band.output += output;
  }

  get tally(): BandedTally {
    return { short: { ...this.#bands.short }, long: { ...this.#bands.long } };
  }
}

function zero(): Open {
  return { read: 0, written: 0, plain: 0, output: 0 };
}
