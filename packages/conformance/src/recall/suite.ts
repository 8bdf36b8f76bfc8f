import { atomic } from './atomic.js';
import { erase } from './erase.js';
import type { RecallCase } from './instance.js';
import { isolation } from './isolation.js';
import { lease } from './lease.js';
import { lifecycle } from './lifecycle.js';
import { lineage } from './lineage.js';
import { log } from './log.js';
import { roundTrip } from './round-trip.js';
import { rows } from './rows.js';
import { scan } from './scan.js';
import { textIndex } from './text.js';

/** Every promise of `RecallDriver`. */
export const recallCases: readonly RecallCase[] = [
  ...lifecycle,
  ...roundTrip,
  ...log,
  ...rows,
  ...scan,
  ...atomic,
  ...isolation,
  ...erase,
  ...lineage,
  ...textIndex,
  ...lease,
];
