/**
 * Threshold compaction: past a threshold everything that may leave does, into a summary.
 * Source: the compaction of Anthropic's API, `compact_20260112`, with its default of 150,000 tokens, which is 75 % of a window
 * of 200,000; coding agents do alike. The summary is billed as a call that reads all of it. How long it is nobody says; an
 * assumption: a twentieth, of 4,000 tokens at most.
 */
import { compaction } from '@pagefault/kernel';
import type { Scheme } from './scheme.js';

export const thresholdCompaction: Scheme = {
  name: 'threshold-compaction',
  make: compaction,
  setup: {
    flushShare: 0.75,
    targetShare: 0.5,
    coldShare: 1,
    remains: { kind: 'summary', ratio: 0.05, most: 4_000 },
  },
  stack: {
    policy: 'compaction',
    limits: { warningShare: 0.7, flushShare: 0.75, targetShare: 0.5, backgroundShare: 1, keepExchanges: 0 },
  },
};
