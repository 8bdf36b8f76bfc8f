import type { Instant } from '@pagefault/contracts';
import { v7 } from 'uuid';

/** Time, as the shell sees it. The core never does. */
export interface Clock {
  now(): Instant;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Where new ids come from: time-ordered, so that a store keeps them together. */
export type MintId = () => string;

export function createMint(clock: Clock): MintId {
  return () => v7({ msecs: clock.now() });
}
