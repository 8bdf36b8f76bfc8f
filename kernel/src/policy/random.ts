/**
 * RANDOM: any page, each as likely as another. Needs no knowledge at all, so what a policy is worth is what it gains on it.
 * Source: Belady, A Study of Replacement Algorithms for a Virtual-Storage Computer (IBM Systems Journal 1966), its RAND.
 *
 * Deterministic all the same: the draws come from a seed, and a draw is used up only when its page has left.
 */
import type { PageId, PageView, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { Frames } from './frames.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { sizedRows, snapshotsOf, whole } from './snapshot.js';
import { sizeNow } from './victims.js';

export interface RandomOptions {
  /** A whole number below 2³². Default 1. */
  readonly seed?: number;
}

/** Draws that may meet a page that must stay, before the others are listed one by one. */
const MOST_VAIN_DRAWS = 32;

const snapshots = snapshotsOf('random', z.strictObject({ draws: whole.max(2 ** 32 - 1), pages: sizedRows }));

export function random({ seed = 1 }: RandomOptions = {}): PagingPolicy {
  const pages = new RandomPages(seed >>> 0);
  return {
    id: 'random',
    version: 1,
    configure: () => undefined,
    onBirth: (page) => pages.add(page),
    onNeed: () => undefined,
    onResidency: (id, now) => {
      if (now === 'evicted') pages.remove(id);
    },
    victims: (ask) => pages.draw(ask),
    snapshot: (maxBytes) => snapshots.write({ draws: pages.draws, pages: pages.rows() }, maxBytes),
    restore: (bytes, version) => {
      const known = version === 1 ? snapshots.read(bytes) : undefined;
      if (known) pages.load(known.draws, known.pages);
      return known !== undefined;
    },
  };
}

class RandomPages {
  /** The state of the generator: what the next draw follows from. */
  draws: number;
  readonly #frames = new Frames();
  /** Every frame once, in no order that matters, so that a draw is one load. */
  readonly #all = this.#frames.column();
  /** Where a frame stands among all. */
  readonly #place = this.#frames.column();
  #count = 0;

  constructor(seed: number) {
    this.draws = seed;
  }

  add({ id, tokens }: Pick<PageView, 'id' | 'tokens'>): void {
    if (this.#frames.of(id) === NONE) this.#put(this.#count++, this.#frames.open(id, tokens));
  }

  #put(place: number, frame: number): void {
    this.#all.set(place, frame);
    this.#place.set(frame, place);
  }

  /** The last takes its place. */
  remove(id: PageId): void {
    const frame = this.#frames.of(id);
    if (frame === NONE) return;
    this.#put(this.#place.get(frame), this.#all.get(--this.#count));
    this.#frames.close(frame);
    this.draws = next(this.draws);
  }

  draw(ask: VictimQuery): PageId[] {
    const victims: PageId[] = [];
    // Mostly one page is enough, and then there is nothing to look up.
    let drawn: Set<PageId> | undefined;
    const mayGo = (id: PageId) => ask.isEligible(id) && drawn?.has(id) !== true;
    let state = this.draws;
    for (let released = 0; released < ask.release; state = next(state)) {
      const frame = this.#one(state, mayGo);
      if (frame === NONE) break;
      const id = this.#frames.page(frame);
      victims.push(id);
      released += sizeNow(ask, id, this.#frames.tokens(frame));
      if (released < ask.release) (drawn ??= new Set()).add(id);
    }
    return victims;
  }

  /** Each that may go with the same chance: those that may not are drawn and put back, or at last left out. */
  #one(state: number, mayGo: (id: PageId) => boolean): number {
    let vain = state;
    for (let draw = 0; draw < MOST_VAIN_DRAWS && this.#count > 0; draw++) {
      const frame = this.#all.get(share(vain, this.#count));
      if (mayGo(this.#frames.page(frame))) return frame;
      vain = next(vain ^ 0x5bd1e995);
    }
    const left: number[] = [];
    for (let place = 0; place < this.#count; place++) {
      const frame = this.#all.get(place);
      if (mayGo(this.#frames.page(frame))) left.push(frame);
    }
    return left[share(state, left.length)] ?? NONE;
  }

  rows(): [PageId, Tokens][] {
    return Array.from({ length: this.#count }, (_, place) => {
      const frame = this.#all.get(place);
      return [this.#frames.page(frame), this.#frames.tokens(frame)];
    });
  }

  load(draws: number, pages: readonly (readonly [PageId, Tokens])[]): void {
    this.#frames.clear();
    this.#count = 0;
    this.draws = draws;
    for (const [id, tokens] of pages) this.add({ id, tokens });
  }
}

/** A generator of full period over 32 bits, Weyl's sequence; `share` mixes its states. */
function next(state: number): number {
  return (state + 0x9e3779b9) >>> 0;
}

/** A place below `count`, from a state well mixed: the finaliser of MurmurHash3 (Appleby 2011). */
function share(state: number, count: number): number {
  let mixed = state;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  mixed = (mixed ^ (mixed >>> 16)) >>> 0;
  return Math.floor((mixed / 2 ** 32) * count);
}
