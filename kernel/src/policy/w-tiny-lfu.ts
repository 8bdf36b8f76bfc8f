/**
 * W-TinyLFU: new pages come into a small window, in the order of needs. What falls out of it is a candidate for the main
 * part, and must have been needed more often, of late, than the page that the main part would give; the loser leaves. The
 * main part keeps pages that were needed there protected from those that were not yet.
 * Source: Einziger, Friedman, Manes, TinyLFU: A Highly Efficient Cache Admission Policy (ACM Transactions on Storage 2017),
 * §4: a window of 1 %, and a segmented LRU whose protected part is 80 % of the main one.
 *
 * Here parts are in tokens, and a candidate is judged when room is asked for, not when it falls out; needs are counted,
 * births are not. A page that comes back as another page brings no count with it.
 */
import type { PageId, Tokens } from '@pagefault/contracts';
import { z } from 'zod';
import { NONE } from './column.js';
import { FrequencySketch } from './frequency-sketch.js';
import { type KnownLists, listsPolicy } from './lists-policy.js';
import { PageLists } from './page-lists.js';
import type { PagingPolicy, VictimQuery } from './policy.js';
import { areDisjoint, sizedRows, snapshotsOf, whole } from './snapshot.js';
import { nobody, offer } from './victims.js';

export interface WTinyLfuOptions {
  /** The window's part of the memory. Default .01, the source's. */
  readonly windowShare?: number;
  /** The protected part of the rest. Default .8, the source's. */
  readonly protectedShare?: number;
  /** Counters of a row while the memory is measured in tokens. Default 1,024: four times the pages of a large queue. */
  readonly counters?: number;
}

const [WINDOW, CANDIDATES, PROBATION, PROTECTED] = [0, 1, 2, 3] as const;
/** Counters of a row are no more than this, however many pages there are: 4 MiB in all. */
const MOST_COUNTERS = 2 ** 20;

const snapshots = snapshotsOf(
  'w-tinylfu',
  z.strictObject({
    lists: z.tuple([sizedRows, sizedRows, sizedRows, sizedRows]).refine(areDisjoint),
    needs: whole,
    /** Base64; empty when there was no room for it. */
    counters: z.base64(),
  }),
);
type Knowledge = NonNullable<ReturnType<typeof snapshots.read>>;

export function wTinyLfu(options: WTinyLfuOptions = {}): PagingPolicy {
  return listsPolicy(
    'w-tinylfu',
    new Parts({ windowShare: 0.01, protectedShare: 0.8, counters: 1_024, ...options }),
  );
}

class Parts implements KnownLists {
  readonly #options: Required<WTinyLfuOptions>;
  readonly #lists = new PageLists(4);
  readonly frames = this.#lists.frames;
  #sketch: FrequencySketch;
  #width: number;
  #window: Tokens = Number.MAX_SAFE_INTEGER;
  #protected: Tokens = Number.MAX_SAFE_INTEGER;

  constructor(options: Required<WTinyLfuOptions>) {
    this.#options = options;
    this.#width = powerOfTwo(options.counters);
    this.#sketch = new FrequencySketch(this.#width);
  }

  resize(capacity: number, unit: 'tokens' | 'pages'): void {
    const { windowShare, protectedShare, counters } = this.#options;
    this.#window = Math.max(1, Math.floor(windowShare * capacity));
    this.#protected = Math.floor(protectedShare * (capacity - this.#window));
    const width = powerOfTwo(unit === 'pages' ? capacity : counters);
    if (width !== this.#width) this.#sketch = new FrequencySketch((this.#width = width));
    this.#settle();
  }

  add(id: PageId, tokens: Tokens): void {
    this.#lists.put(WINDOW, id, tokens);
    this.#settle();
  }

  need(id: PageId, frame: number): void {
    this.#sketch.add(id);
    if (frame === NONE) return;
    this.#lists.move(this.#lists.listOf(frame) === WINDOW ? WINDOW : PROTECTED, frame);
    this.#settle();
  }

  /** What falls out of the window is a candidate; what falls out of the protected part is on probation. */
  #settle(): void {
    const [window, kept] = [this.#lists.at(WINDOW), this.#lists.at(PROTECTED)];
    while (window.length > 1 && window.tokens > this.#window) this.#lists.move(CANDIDATES, window.first);
    while (kept.tokens > this.#protected) this.#lists.move(PROBATION, kept.first);
  }

  victims(ask: VictimQuery): PageId[] {
    const walk = new Walk(this.#lists, this.#sketch, ask.isEligible);
    const victims = nobody();
    while (victims.released < ask.release) {
      const frame = walk.next();
      if (frame === NONE) break;
      offer(victims, frame, this.frames, ask);
    }
    return victims.ids;
  }

  /** The candidate that won against this page is of the main part from now on. */
  evict(id: PageId, frame: number): void {
    const candidates = this.#lists.at(CANDIDATES);
    if (this.#lists.listOf(frame) === PROBATION && candidates.length > 0) {
      const winner = candidates.first;
      const isWon = this.#sketch.estimate(this.frames.page(winner)) > this.#sketch.estimate(id);
      if (isWon) this.#lists.move(PROBATION, winner);
    }
    this.forget(id, frame);
  }

  /** What is left of it is in counters that it shares with others. */
  forget(_: PageId, frame: number): void {
    if (frame !== NONE) this.#lists.drop(frame);
  }

  /** Without the counters when there is no room for them: they only teach. */
  snapshot(maxBytes: number): Uint8Array {
    const { counters, needs } = this.#sketch;
    return this.#lists.snapshot(4, (rows) => {
      const lists = rows as Knowledge['lists'];
      const whole = { lists, needs, counters: Buffer.from(counters).toString('base64') };
      const bytes = snapshots.write(whole, maxBytes);
      return bytes.length > 0 ? bytes : snapshots.write({ lists, needs: 0, counters: '' }, maxBytes);
    });
  }

  restore(bytes: Uint8Array): boolean {
    const known = snapshots.read(bytes);
    if (!known) return false;
    this.#lists.load(known.lists);
    this.#sketch = new FrequencySketch(this.#width);
    const counters = Buffer.from(known.counters, 'base64');
    if (counters.length === this.#sketch.counters.length) {
      this.#sketch.counters.set(counters);
      this.#sketch.needs = known.needs;
    }
    this.#settle();
    return true;
  }
}

/** Goes over the parts as one eviction after another does, and changes nothing. */
class Walk {
  readonly #parts: PageLists;
  readonly #sketch: FrequencySketch;
  readonly #mayGo: (id: PageId) => boolean;
  #candidate: number;
  #rival: number;
  /** Candidates that won: they stay until the main part has nothing older on probation. */
  readonly #admitted: number[] = [];
  #rest: number;
  #restIn: typeof PROTECTED | typeof WINDOW = PROTECTED;

  constructor(parts: PageLists, sketch: FrequencySketch, mayGo: (id: PageId) => boolean) {
    this.#parts = parts;
    this.#sketch = sketch;
    this.#mayGo = mayGo;
    this.#candidate = this.#first(CANDIDATES);
    this.#rival = this.#first(PROBATION);
    this.#rest = this.#first(PROTECTED);
  }

  /** `NONE` when nothing may go any more. */
  next(): number {
    if (this.#candidate === NONE) return this.#nextRival();
    const candidate = this.#candidate;
    this.#candidate = this.#after(CANDIDATES, candidate);
    if (this.#rival === NONE || this.#needs(candidate) <= this.#needs(this.#rival)) return candidate;
    this.#admitted.push(candidate);
    return this.#nextRival();
  }

  #nextRival(): number {
    const rival = this.#rival;
    if (rival === NONE) return this.#admitted.shift() ?? this.#nextOfRest();
    this.#rival = this.#after(PROBATION, rival);
    return rival;
  }

  /** The protected part, and at last the window. */
  #nextOfRest(): number {
    if (this.#rest === NONE && this.#restIn === PROTECTED) this.#rest = this.#first((this.#restIn = WINDOW));
    const frame = this.#rest;
    if (frame !== NONE) this.#rest = this.#after(this.#restIn, frame);
    return frame;
  }

  #first(part: number): number {
    return this.#eligible(part, this.#parts.at(part).first);
  }

  #after(part: number, frame: number): number {
    return this.#eligible(part, this.#parts.at(part).after(frame));
  }

  /** From there on in its list. */
  #eligible(part: number, from: number): number {
    const { end } = this.#parts.at(part);
    let frame = from;
    while (frame !== end && !this.#mayGo(this.#parts.frames.page(frame)))
      frame = this.#parts.at(part).after(frame);
    return frame === end ? NONE : frame;
  }

  #needs(frame: number): number {
    return this.#sketch.estimate(this.#parts.frames.page(frame));
  }
}

function powerOfTwo(least: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(16, Math.min(MOST_COUNTERS, least))));
}
