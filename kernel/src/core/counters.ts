import type { MicroDollars, Tokens } from '@pagefault/contracts';

/** What `vmstat` shows: sums since the process was made. */
export interface Counters {
  readonly turns: number;
  readonly cycles: number;
  readonly warnings: number;
  readonly flushes: number;
  readonly evicted: number;
  readonly stubs: number;
  readonly needs: number;
  readonly faults: number;
  readonly input: Tokens;
  readonly cached: Tokens;
  readonly output: Tokens;
  /** By the prices that are known. Left out while there was nothing to add up. */
  readonly spend?: MicroDollars;
}

export const NO_COUNTERS: Counters = Object.freeze({
  turns: 0,
  cycles: 0,
  warnings: 0,
  flushes: 0,
  evicted: 0,
  stubs: 0,
  needs: 0,
  faults: 0,
  input: 0,
  cached: 0,
  output: 0,
});
