/** One policy at one budget on one trace: what is run at a time, here or in a worker. Plain data goes in and comes out. */
import { PagefaultError, type Tokens } from '@pagefault/contracts';
import type { PagingPolicy } from '@pagefault/kernel';
import { farthestNeed } from '../bounds/farthest-need.js';
import type { PagingReport } from '../paging/report.js';
import type { SimulationOptions } from '../paging/simulate.js';
import { type Contestant, isScheme, simulate } from '../schemes/scheme.js';
import type { PagingTrace } from '../trace/paging-trace.js';

/** What knows the needs to come, by name, and the trace by its own numbers. Nobody can run it; policies are held against it. */
export const FORESIGHT = {
  'farthest-need': (trace: PagingTrace) => farthestNeed(trace),
  'farthest-need-by-size': (trace: PagingTrace) => farthestNeed(trace, { rank: 'distance × size' }),
} as const satisfies Record<string, (trace: PagingTrace) => PagingPolicy>;

export const FORESIGHT_NAMES = Object.keys(FORESIGHT);

export function isForesight(policy: string): policy is keyof typeof FORESIGHT {
  return Object.hasOwn(FORESIGHT, policy);
}

export interface GridRow {
  readonly policy: string;
  readonly budget: Tokens;
  readonly report: PagingReport;
}

/** Errors: `E_CONFIG` for a setup that makes no sense, and for a policy that throws, with its name and budget. */
export function runCell(
  trace: PagingTrace,
  contestant: Contestant | PagingPolicy,
  options: SimulationOptions,
): GridRow {
  const { contestant: named, name } = remembered(contestant);
  try {
    const report = simulate(trace, named, options);
    return { policy: report.policy, budget: options.budget, report };
  } catch (cause) {
    if (PagefaultError.is(cause)) throw cause;
    throw failed(name(), options.budget, trace.header.id, cause);
  }
}

/** A policy is made anew for each context; after a failure the one that failed is asked for its name. */
function remembered(contestant: Contestant | PagingPolicy): {
  readonly contestant: Contestant | PagingPolicy;
  readonly name: () => string;
} {
  if (isScheme(contestant)) return { contestant, name: () => contestant.name };
  if (typeof contestant !== 'function') return { contestant, name: () => contestant.id };
  let last: PagingPolicy | undefined;
  return { contestant: () => (last = contestant()), name: () => last?.id ?? 'a policy' };
}

function failed(policy: string, budget: Tokens, trace: string, cause: unknown): PagefaultError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PagefaultError('E_CONFIG', `${policy} failed at a budget of ${budget} on ${trace}: ${why}`, {
    hint: 'PAGEFAULT_DEBUG=1 shows where; a policy may not throw',
    cause,
  });
}
