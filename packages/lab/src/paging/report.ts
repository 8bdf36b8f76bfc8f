import type { Tokens } from '@pagefault/contracts';
import { addTallies, type BandedTally, type TokenTally } from '../cost/tally.js';

/** What a policy did on a trace. Counts; rates follow from them below. */
export interface PagingReport {
  readonly policy: string;
  readonly steps: number;
  /** Pages that were needed, each need once. */
  readonly needs: number;
  /** Needs of pages that were not resident and not met by a summary. */
  readonly faults: number;
  /** Faults of which a tombstone told. */
  readonly softFaults: number;
  /** Faults that nobody noticed: nothing was read in. */
  readonly silentFaults: number;
  /** Noticed faults whose page was not found. */
  readonly lostFaults: number;
  /** Needs that a summary met. */
  readonly summaryHits: number;
  readonly stepsWithNeed: number;
  readonly stepsWithFault: number;
  readonly neededTokens: Tokens;
  readonly faultedTokens: Tokens;
  readonly pageIns: number;
  readonly pagedInTokens: Tokens;
  /** Pages read in before they were missed. */
  readonly prefetched: number;
  readonly prefetchedTokens: Tokens;
  /** Those of them that were needed before they left. */
  readonly prefetchUsed: number;
  /**
   * Faults on pages that unused prefetch had pushed out: pages that a reclaim would not have let go if what was prefetched
   * and not needed since had not been in the request, victims taken in the same order.
   */
  readonly pollution: number;
  readonly reclaims: number;
  readonly evictions: number;
  /** Pages that left once at least. */
  readonly evictedPages: number;
  /** Evicted pages that were never needed again. */
  readonly deadPages: number;
  /** Faults on a page that had been read in before: thrashing. */
  readonly refaults: number;
  /** Steps whose request was over the budget with everything gone that might. */
  readonly overflows: number;
  readonly peakTokens: Tokens;
  /** Tokens of all requests together. */
  readonly tokenSteps: Tokens;
  /** What requests cost, the agent's own. */
  readonly agent: BandedTally;
  /** What the calls cost that ask for missing pages. */
  readonly faultCalls: BandedTally;
  /** What summaries cost: they are written by the model too. */
  readonly summaries: BandedTally;
  /** Every eviction and fault, when they were asked for. */
  readonly events: readonly PagingEvent[];
  /** Every step, when they were asked for. */
  readonly made: readonly StepRecord[];
}

/** What there is after a step, from the beginning of the trace. */
export interface StepRecord {
  readonly step: number;
  /** Of its request. */
  readonly tokens: Tokens;
  readonly faults: number;
  readonly evictions: number;
  readonly billed: TokenTally;
}

export type PagingEvent =
  | { readonly kind: 'eviction'; readonly step: number; readonly page: number; readonly tokens: Tokens }
  | {
      readonly kind: 'fault';
      readonly step: number;
      readonly page: number;
      /** The step at which it left; -1 when it was never there. */
      readonly since: number;
      /** What a call that asks for it reads. */
      readonly prompt: Tokens;
      readonly outcome: FaultOutcome;
    };

/** Only what is noticed costs a call, and only what is found is read in. */
export type FaultOutcome = 'read in' | 'not found' | 'unnoticed';

/** Faults per need: the headline. 0 when nothing was needed. */
export function faultRate({ faults, needs }: PagingReport): number {
  return needs === 0 ? 0 : faults / needs;
}

/** Prefetched pages that were needed before they left; 0 when nothing was prefetched. */
export function prefetchPrecision({ prefetched, prefetchUsed }: PagingReport): number {
  return prefetched === 0 ? 0 : prefetchUsed / prefetched;
}

/** Needs that prefetch met, of those and the faults; 0 when there were neither. */
export function prefetchCoverage({ prefetchUsed, faults }: PagingReport): number {
  return prefetchUsed === 0 ? 0 : prefetchUsed / (prefetchUsed + faults);
}

export function meanTokens({ tokenSteps, steps }: PagingReport): Tokens {
  return steps === 0 ? 0 : tokenSteps / steps;
}

/** Everything that is billed. */
export function billed({
  agent,
  faultCalls,
  summaries,
}: Pick<PagingReport, 'agent' | 'faultCalls' | 'summaries'>): BandedTally {
  const sum = (band: 'short' | 'long'): TokenTally =>
    addTallies(addTallies(agent[band], faultCalls[band]), summaries[band]);
  return { short: sum('short'), long: sum('long') };
}

/** In both bands together. */
export function whole({ short, long }: BandedTally): TokenTally {
  return addTallies(short, long);
}
