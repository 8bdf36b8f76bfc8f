/**
 * Keep each page over a gap, or miss it: whichever is cheaper, when room has a price. What is kept pays for its room, and
 * the room that there is is paid back. Whatever the prices are, no choice that fits into the room costs less than that; so
 * prices that are merely good give a true bound, and better ones a better bound.
 * Source: Lagrangian relaxation with the subgradient method (Held, Wolfe, Crowder, Validation of Subgradient Optimization,
 * Mathematical Programming 1974) of the interval model of caching with sizes (Berger, Beckmann, Harchol-Balter, Practical
 * Bounds on Optimal Caching with Variable Object Sizes, POMACS 2018).
 */
import type { Limits } from './room.js';

/** A choice between keeping and missing. */
export interface Choice {
  /** Steps over which room is taken, exclusive: between two uses. */
  readonly from: number;
  readonly to: number;
  /** Room that keeping takes. */
  readonly room: number;
  readonly keep: number;
  readonly miss: number;
}

const ROUNDS = 300;
/** Choices that are weighed in all rounds together: where there are very many, the rounds are fewer. */
const MOST_WEIGHED = 1.2e7;
/** Rounds without a better bound, after which the step is halved. */
const PATIENCE = 8;

export interface Priced {
  /** No way to choose that fits costs less. */
  readonly sum: number;
  /** What the room of each choice costs when it is kept, in their order; and all the room that there is. */
  readonly fees: Float64Array;
  readonly rent: number;
}

/** The best prices of `ROUNDS` times choices, limits and steps. */
export function priceRoom(choices: readonly Choice[], limits: readonly Limits[]): Priced {
  const market = new Market(choices, limits);
  let best = market.weigh();
  let [stride, patience] = [1, PATIENCE];
  const most = choices.reduce((sum, { miss }) => sum + miss, 0);
  const rounds = Math.min(ROUNDS, MOST_WEIGHED / choices.length);
  for (let round = 1, last = best; round < rounds; round++) {
    if (!market.move(stride * (most - last.sum))) break;
    last = market.weigh();
    if (last.sum > best.sum) [best, patience] = [last, PATIENCE];
    else if (--patience === 0) [stride, patience] = [stride / 2, PATIENCE];
  }
  return best;
}

/** Columns, for they are gone through hundreds of times. */
class Market {
  readonly #tokens: Float64Array;
  readonly #keep: Float64Array;
  readonly #miss: Float64Array;
  readonly #rooms: readonly PricedRoom[];

  constructor(choices: readonly Choice[], limits: readonly Limits[]) {
    const column = (of: (one: Choice) => number) => {
      const values = new Float64Array(choices.length);
      for (let at = 0; at < choices.length; at++) values[at] = of(choices[at] as Choice);
      return values;
    };
    this.#tokens = column(({ room }) => room);
    this.#keep = column(({ keep }) => keep);
    this.#miss = column(({ miss }) => miss);
    this.#rooms = limits.map((one) => new PricedRoom(one, choices));
  }

  weigh(): Priced {
    const fees = new Float64Array(this.#keep.length);
    const isKept = new Uint8Array(this.#keep.length);
    let rent = 0;
    for (const one of this.#rooms) rent += one.begin(fees);
    const sum = this.#choose(fees, isKept);
    for (const one of this.#rooms) one.take(isKept, this.#tokens);
    return { sum: sum - rent, fees, rent };
  }

  /** From the price of a token of each choice's room to its fee. What all choices cost, each the cheaper way. */
  #choose(fees: Float64Array, isKept: Uint8Array): number {
    let sum = 0;
    for (let at = 0; at < fees.length; at++) {
      const fee = (fees[at] ?? 0) * (this.#tokens[at] ?? 0);
      const [kept, miss] = [(this.#keep[at] ?? 0) + fee, this.#miss[at] ?? 0];
      fees[at] = fee;
      isKept[at] = kept < miss ? 1 : 0;
      sum += Math.min(kept, miss);
    }
    return sum;
  }

  /** Prices rise where more is taken than there is, and sink where less is. False: they are the best. */
  move(stride: number): boolean {
    let length = 0;
    for (const one of this.#rooms) length += one.slope();
    if (length > 0) for (const one of this.#rooms) one.move(stride / length);
    return length > 0;
  }
}

class PricedRoom {
  readonly #room: Float64Array;
  readonly #prices: Float64Array;
  /** Of the limits before each. */
  readonly #sums: Float64Array;
  /** What is taken more at each limit than at the one before, then over the room. */
  readonly #over: Float64Array;
  /** Of each choice: the first limit that begins after it begins, and how many end before it ends. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;

  constructor({ first, last, room }: Limits, choices: readonly Choice[]) {
    this.#room = room;
    this.#prices = new Float64Array(room.length);
    this.#sums = new Float64Array(room.length + 1);
    this.#over = new Float64Array(room.length + 1);
    const steps = (last.at(-1) ?? -1) + 2;
    const [begins, ends] = [places(first, steps, 1), places(last, steps, 0)];
    this.#begins = Int32Array.from(
      { length: choices.length },
      (_, at) => begins[choices[at]?.from ?? 0] ?? room.length,
    );
    // Where no limit lies within a choice its end is its beginning.
    this.#ends = Int32Array.from({ length: choices.length }, (_, at) =>
      Math.max(this.#begins[at] ?? 0, ends[choices[at]?.to ?? 0] ?? room.length),
    );
  }

  /** A round with the prices as they are, which are added for each choice. What all the room costs. */
  begin(prices: Float64Array): number {
    let all = 0;
    this.#over.fill(0);
    for (let at = 0; at < this.#room.length; at++) {
      const price = this.#prices[at] ?? 0;
      this.#sums[at + 1] = (this.#sums[at] ?? 0) + price;
      all += price * (this.#room[at] ?? 0);
    }
    const [begins, ends, sums] = [this.#begins, this.#ends, this.#sums];
    for (let at = 0; at < prices.length; at++)
      prices[at] = (prices[at] ?? 0) + (sums[ends[at] ?? 0] ?? 0) - (sums[begins[at] ?? 0] ?? 0);
    return all;
  }

  take(isKept: Uint8Array, tokens: Float64Array): void {
    const [begins, ends, over] = [this.#begins, this.#ends, this.#over];
    for (let at = 0; at < isKept.length; at++) {
      if (isKept[at] === 0) continue;
      const [begin, end, room] = [begins[at] ?? 0, ends[at] ?? 0, tokens[at] ?? 0];
      over[begin] = (over[begin] ?? 0) + room;
      over[end] = (over[end] ?? 0) - room;
    }
  }

  /** How much more or less is taken than there is. The square of its length, where a price may move. */
  slope(): number {
    let [taken, length] = [0, 0];
    for (let at = 0; at < this.#room.length; at++) {
      taken += this.#over[at] ?? 0;
      const over = taken - (this.#room[at] ?? 0);
      const may = over > 0 || (this.#prices[at] ?? 0) > 0;
      this.#over[at] = may ? over : 0;
      if (may) length += over * over;
    }
    return length;
  }

  move(stride: number): void {
    for (let at = 0; at < this.#room.length; at++)
      this.#prices[at] = Math.max(0, (this.#prices[at] ?? 0) + stride * (this.#over[at] ?? 0));
  }
}

/** For each step, how many of the places lie before it, or up to it with `more` 1. */
function places(rising: Int32Array, steps: number, more: 0 | 1): Int32Array {
  const counts = new Int32Array(steps);
  let at = 0;
  for (let step = 0; step < steps; step++) {
    while (at < rising.length && (rising[at] ?? 0) < step + more) at++;
    counts[step] = at;
  }
  return counts;
}
