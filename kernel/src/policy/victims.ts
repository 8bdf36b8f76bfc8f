import type { PageId, Tokens } from '@pagefault/contracts';
import type { Frames } from './frames.js';
import type { VictimQuery } from './policy.js';

/** A page that may be asked for: its size as it was born. */
export interface Candidate {
  readonly id: PageId;
  readonly tokens: Tokens;
}

/** From the front, as many eligible pages as the release needs; all of them when even they are too few. */
export function takeEnough(candidates: Iterable<Candidate>, ask: VictimQuery): PageId[] {
  const victims: PageId[] = [];
  let released = 0;
  for (const { id, tokens } of candidates) {
    if (released >= ask.release) break;
    if (!ask.isEligible(id)) continue;
    victims.push(id);
    released += sizeNow(ask, id, tokens);
  }
  return victims;
}

/** What the page takes now, where that is told; else what it took at its birth. */
export function sizeNow(ask: VictimQuery, id: PageId, atBirth: Tokens): Tokens {
  return ask.tokensOf?.(id) ?? atBirth;
}

/** Who goes, while it is being collected: of the frames that are offered those that may go, until they release enough. */
export class Victims {
  ids: PageId[] = [];
  readonly #frames: Frames;
  readonly #ask: VictimQuery;
  #released: Tokens = 0;

  constructor(frames: Frames, ask: VictimQuery) {
    this.#frames = frames;
    this.#ask = ask;
  }

  get isEnough(): boolean {
    return this.#released >= this.#ask.release;
  }

  /** Whether it may go, and so will. */
  offer(frame: number): boolean {
    const id = this.#frames.page(frame);
    if (!this.#ask.isEligible(id)) return false;
    // Mostly one page is enough. A list written out has room for it alone, one that is pushed to at once for seventeen.
    if (this.ids.length === 0) this.ids = [id];
    else this.ids.push(id);
    this.#released += sizeNow(this.#ask, id, this.#frames.tokens(frame));
    return true;
  }
}
