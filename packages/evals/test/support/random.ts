/** Chance that can be had again: a test prints the seed that it used. */
export interface Chance {
  readonly seed: number;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
}

/** Mulberry32: a well-known generator of 32 bits, enough to spread instants. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { seed, between: (least, most) => least + Math.floor(next() * (most - least + 1)) };
}

/** `PAGEFAULT_SEED` repeats a run; otherwise every run looks at other instants. */
export function seedOfRun(): number {
  const given = process.env['PAGEFAULT_SEED'];
  return given === undefined ? Date.now() % 1_000_000 : Number(given);
}

/** How often to kill: few times by default, `PAGEFAULT_ROUNDS` for the full measure. */
export function roundsOfRun(fallback: number): number {
  return Number(process.env['PAGEFAULT_ROUNDS'] ?? fallback);
}
