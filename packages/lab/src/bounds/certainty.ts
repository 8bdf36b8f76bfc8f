import type { PagingSetup } from '../paging/setup.js';

/** What is sure of a fault, by the setup's assumptions. */
export interface Certainty {
  /** Whether a summary may meet a need, or prefetch bring the page in before, so that there is no fault. */
  readonly maySpare: boolean;
  readonly isNoticed: boolean;
  /** Whether a page that is needed is in the step's request in any case. */
  readonly isReadIn: boolean;
}

export function certaintyOf({ notice, prefetch, recall, remains, retention }: PagingSetup): Certainty {
  const mayMeet = remains.kind === 'summary' && retention > 0;
  const maySpare = mayMeet || prefetch.kind !== 'none';
  const isFound = (notice === 1 || remains.kind === 'tombstone') && recall === 1 && !mayMeet;
  return {
    maySpare,
    isNoticed: (notice === 1 || remains.kind === 'tombstone') && !maySpare,
    isReadIn: isFound,
  };
}
