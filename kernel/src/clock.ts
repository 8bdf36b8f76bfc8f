import type { Instant, Milliseconds } from '@pagefault/contracts';
import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Time, as the shell sees it. The core never does. */
export interface Clock {
  now(): Instant;
  /**
   * Runs `run` once, when the clock reads `instant` or later; soon, but never before this returns, when that is past
   * already. Returns the way to cancel it. A clock that waits does not keep the program alive.
   */
  at(instant: Instant, run: () => void): () => void;
}

/**
 * The longest wait between two looks at the clock. `setTimeout` takes one of 2^31 ms or more for none at all (C21), it
 * counts only what the machine was awake, and the time of day may be set: so what is due is late by this much at most.
 */
const LOOK_AGAIN_MS: Milliseconds = 60_000;

export const systemClock: Clock = { now: () => Date.now(), at: runAt };

function runAt(instant: Instant, run: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = Math.max(0, instant - Date.now());
    timer = setTimeout(() => (Date.now() < instant ? wait() : run()), Math.min(left, LOOK_AGAIN_MS));
    timer.unref();
  };
  wait();
  return () => clearTimeout(timer);
}

/** Where new ids come from: time-ordered, so that a store keeps them together. */
export type MintId = () => string;

export function createMint(clock: Pick<Clock, 'now'>): MintId {
  return () => v7({ msecs: clock.now(), rng: random });
}

/** Bytes of chance in one id. */
const CHANCE = 16;
// Asked for 256 ids at once: a call for each takes longer than all the rest of making it. None is given twice.
const pool = new Uint8Array(256 * CHANCE);
let used = pool.length;

function random(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += CHANCE;
  return pool.subarray(used - CHANCE, used);
}
