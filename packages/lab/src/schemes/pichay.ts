/**
 * Age and size with tombstones, and the same with pins: at every call, results of functions that are older than four user
 * turns and of more than 500 bytes become tombstones of some 200 bytes; errors never do. With pins, what was read again after
 * it had left stays from then on. Over the budget pages go by the kernel's `age-size` and `fault-pin`, whose pins decay.
 * Source: Mason, The Missing Memory Hierarchy (Pichay; arXiv 2603.09023), at four bytes a token.
 */
import { ageSize, faultPin } from '@pagefault/kernel';
import { masking, type SeenPage } from './masking.js';
import type { Scheme, SchemeSetup } from './scheme.js';

const AGE = 4;
const LEAST = 125;
const TOMBSTONE = 50;

const setup: SchemeSetup = {
  masking: { above: 0, tokens: TOMBSTONE },
  remains: { kind: 'tombstone', tokens: TOMBSTONE },
};

const isStale = ({ hasResults, failed, tokens, turn: born }: SeenPage, turn: number) =>
  hasResults && !failed && tokens > LEAST && turn - born >= AGE;

export const ageSizeTombstone: Scheme = {
  name: 'age-size-tombstone',
  make: () =>
    masking('age-size-tombstone', ageSize({ age: AGE, least: LEAST }), (pages, turn) =>
      pages.filter((page) => isStale(page, turn)),
    ),
  setup,
};

export const faultPinTombstone: Scheme = {
  name: 'fault-pin-tombstone',
  make: () =>
    masking('fault-pin-tombstone', faultPin({ age: AGE, least: LEAST }), (pages, turn) =>
      pages.filter((page) => isStale(page, turn) && !page.cameBack),
    ),
  setup,
};
