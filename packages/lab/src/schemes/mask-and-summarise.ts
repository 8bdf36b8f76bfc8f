/**
 * Mask and summarise: observations are masked at every call, and what is over the budget nonetheless leaves into a summary,
 * the tombstones with it.
 * Source: the hybrid of Lindenbauer et al., The Complexity Trap (arXiv 2508.21433): masks first, with M = 10; the summary is
 * made rarely, there after a number of turns, here when the budget is reached. Its length is an assumption: a tenth, of 2,000
 * tokens at most.
 */
import { maskObservations, OBSERVATION_TOMBSTONE } from './observation-masking.js';
import type { Scheme } from './scheme.js';

export const maskAndSummarise: Scheme = {
  name: 'mask-and-summarise',
  make: () => maskObservations('mask-and-summarise'),
  setup: {
    masking: { above: 0, tokens: OBSERVATION_TOMBSTONE },
    remains: { kind: 'summary', ratio: 0.1, most: 2_000 },
  },
};
