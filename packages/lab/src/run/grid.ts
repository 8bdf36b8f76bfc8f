/** Policies by budgets on one trace. */
import type { PagingSetup } from '../paging/setup.js';
import type { Contestant } from '../schemes/scheme.js';
import type { PagingTrace } from '../trace/paging-trace.js';
import { type BudgetChoice, tokensOf } from './budgets.js';
import { FORESIGHT, type GridRow, runCell } from './cell.js';

export interface GridOptions {
  readonly policies: readonly Contestant[];
  readonly budgets: readonly BudgetChoice[];
  readonly setup?: Partial<Omit<PagingSetup, 'budget'>>;
  /** Whether the rows of what knows the needs to come are added. Default true. */
  readonly foresight?: boolean;
}

/** One row a policy and budget, budgets in the order in which they were given. Errors: `E_CONFIG`. */
export function* runGrid(
  trace: PagingTrace,
  { policies, budgets, setup = {}, foresight = true }: GridOptions,
): Generator<GridRow> {
  for (const choice of budgets) {
    const budget = tokensOf(trace, choice);
    const foreseeing = foresight ? Object.values(FORESIGHT).map((make) => make(trace)) : [];
    for (const contestant of [...policies, ...foreseeing])
      yield runCell(trace, contestant, { ...setup, budget });
  }
}
