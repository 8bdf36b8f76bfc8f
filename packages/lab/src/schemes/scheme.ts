/**
 * A scheme is a policy together with how the pager is set for it: when pages leave, how many, and what is left of them.
 * What the literature calls a policy is often that. Where a policy may be named, a scheme may be, and what it sets holds over
 * what the run is set to; all else, and every assumption (recall, notice, retention), is the run's.
 */
import type { PagingPolicy, PolicyFactory, PolicyName } from '@pagefault/kernel';
import type { PagingReport } from '../paging/report.js';
import type { PagingSetup } from '../paging/setup.js';
import { simulatePaging, type SimulationOptions } from '../paging/simulate.js';
import type { PagingTrace } from '../trace/paging-trace.js';

export interface Scheme {
  readonly name: string;
  readonly make: PolicyFactory;
  readonly setup: SchemeSetup;
  /** Settings of a stack, limits of the kernel by name, with which it does the same; none where it cannot. */
  readonly stack?: { readonly policy: PolicyName; readonly limits: Readonly<Record<string, number>> };
}

export type SchemeSetup = Partial<
  Pick<PagingSetup, 'flushShare' | 'targetShare' | 'coldShare' | 'remains' | 'masking'>
>;

/** What is compared. */
export type Contestant = PolicyFactory | Scheme;

export function isScheme(contestant: Contestant | PagingPolicy): contestant is Scheme {
  return 'make' in contestant && 'setup' in contestant;
}

/** The report goes by the scheme's name. Errors: `E_CONFIG` for a setup that makes no sense. */
export function simulate(
  trace: PagingTrace,
  contestant: Contestant | PagingPolicy,
  options: SimulationOptions,
): PagingReport {
  if (!isScheme(contestant)) return simulatePaging(trace, contestant, options);
  const { make, name, setup } = contestant;
  return { ...simulatePaging(trace, make, { ...options, ...setup }), policy: name };
}

/** What of a run's setup a scheme does not follow. */
export function ownOf(contestant: Contestant, given: Partial<PagingSetup>): (keyof SchemeSetup)[] {
  if (!isScheme(contestant)) return [];
  const own = Object.keys(contestant.setup) as (keyof SchemeSetup)[];
  return own.filter((name) => given[name] !== undefined);
}
