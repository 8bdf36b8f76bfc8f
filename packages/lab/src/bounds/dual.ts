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
const MOST_WEIGHED = 3e6;
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

class Market {
  readonly #choices: readonly Choice[];
  readonly #rooms: readonly PricedRoom[];

  constructor(choices: readonly Choice[], limits: readonly Limits[]) {
    this.#choices = choices;
    this.#rooms = limits.map((one) => new PricedRoom(one));
  }

  weigh(): Priced {
    let [sum, rent] = [0, 0];
    for (const one of this.#rooms) rent += one.begin();
    const fees = Float64Array.from(this.#choices, ({ from, to, keep, miss, room }) => {
      let price = 0;
      for (const one of this.#rooms) price += one.priceBetween(from, to);
      const kept = keep + room * price;
      sum += Math.min(kept, miss);
      if (kept < miss) for (const one of this.#rooms) one.take(from, to, room);
      return room * price;
    });
    return { sum: sum - rent, fees, rent };
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
  /** By step: the first limit that begins after it, and how many end before it. */
  readonly #begins: Int32Array;
  readonly #ends: Int32Array;

  constructor({ first, last, room }: Limits) {
    this.#room = room;
    this.#prices = new Float64Array(room.length);
    this.#sums = new Float64Array(room.length + 1);
    this.#over = new Float64Array(room.length + 1);
    const steps = (last.at(-1) ?? -1) + 2;
    this.#begins = places(first, steps, 1);
    this.#ends = places(last, steps, 0);
  }

  /** A round with the prices as they are. What all the room costs. */
  begin(): number {
    let all = 0;
    this.#over.fill(0);
    for (let at = 0; at < this.#room.length; at++) {
      const price = this.#prices[at] ?? 0;
      this.#sums[at + 1] = (this.#sums[at] ?? 0) + price;
      all += price * (this.#room[at] ?? 0);
    }
    return all;
  }

  priceBetween(from: number, to: number): number {
    const [begin, end] = [this.#beginOf(from), this.#endOf(to)];
    return end > begin ? (this.#sums[end] ?? 0) - (this.#sums[begin] ?? 0) : 0;
  }

  take(from: number, to: number, room: number): void {
    const [begin, end] = [this.#beginOf(from), this.#endOf(to)];
    if (end <= begin) return;
    this.#over[begin] = (this.#over[begin] ?? 0) + room;
    this.#over[end] = (this.#over[end] ?? 0) - room;
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

  #beginOf(step: number): number {
    return this.#begins[step] ?? this.#room.length;
  }

  #endOf(step: number): number {
    return this.#ends[step] ?? this.#room.length;
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
