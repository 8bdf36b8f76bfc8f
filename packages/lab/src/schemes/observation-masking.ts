/**
 * Observation masking: results of functions but the newest few are masked at every call. Over the budget more of them go,
 * oldest first, then the other pages.
 * Source: Lindenbauer et al., The Complexity Trap (arXiv 2508.21433): the newest M = 10 stay; a line tells how many lines
 * were left out, which is taken for 10 tokens.
 */
import { clearToolResults } from '@pagefault/kernel';
import { masking, resultsBefore } from './masking.js';
import type { Scheme } from './scheme.js';

/** The newest observations that stay, M in the source. */
export const OBSERVATIONS_KEPT = 10;
export const OBSERVATION_TOMBSTONE = 10;

export const observationMasking: Scheme = {
  name: 'observation-masking',
  make: () => maskObservations('observation-masking'),
  setup: {
    masking: { above: 0, tokens: OBSERVATION_TOMBSTONE },
    remains: { kind: 'tombstone', tokens: OBSERVATION_TOMBSTONE },
  },
};

export function maskObservations(id: string) {
  const base = clearToolResults({ keep: OBSERVATIONS_KEPT });
  return masking(id, base, (pages) => resultsBefore(pages, OBSERVATIONS_KEPT));
}
