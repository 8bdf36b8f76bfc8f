/** Policies by budgets on one trace. */
import { PagefaultError, type Tokens } from '@pagefault/contracts';
import { farthestNeed } from '../bounds/farthest-need.js';
import type { PagingReport } from '../paging/report.js';
import type { PagingSetup } from '../paging/setup.js';
import { type Contestant, simulate } from '../schemes/scheme.js';
import type { PagingTrace } from '../trace/paging-trace.js';

/** Tokens, or a share of all tokens that the trace's pages have together. */
export type BudgetChoice = { readonly tokens: Tokens } | { readonly share: number };

export interface GridOptions {
  readonly policies: readonly Contestant[];
  readonly budgets: readonly BudgetChoice[];
  readonly setup?: Partial<Omit<PagingSetup, 'budget'>>;
  /** Whether the rows of what knows the needs to come are added. Default true. */
  readonly foresight?: boolean;
}

export interface GridRow {
  readonly policy: string;
  readonly budget: Tokens;
  readonly report: PagingReport;
}

/** One row a policy and budget, budgets in the order in which they were given. Errors: `E_CONFIG`. */
export function* runGrid(
  trace: PagingTrace,
  { policies, budgets, setup = {}, foresight = true }: GridOptions,
): Generator<GridRow> {
  const foreseeing = (['distance', 'distance × size'] as const).map(
    (rank) => () => farthestNeed(trace, { rank }),
  );
  for (const choice of budgets) {
    const budget = tokensOf(trace, choice);
    for (const contestant of [...policies, ...(foresight ? foreseeing : [])]) {
      const report = simulate(trace, contestant, { ...setup, budget });
      yield { policy: report.policy, budget, report };
    }
  }
}

export function tokensOf(trace: PagingTrace, choice: BudgetChoice): Tokens {
  if ('tokens' in choice) return choice.tokens;
  let all = 0;
  for (const tokens of trace.tokens) all += tokens;
  return Math.max(1, Math.round(all * choice.share));
}

/** `25%`, `32000` or `32k`. Errors: `E_CONFIG`. */
export function budgetChoice(text: string): BudgetChoice {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(%|k|)$/i.exec(text.trim()) ?? [];
  const value = Number(number);
  if (number !== '' && value > 0 && unit === '%' && value <= 100) return { share: value / 100 };
  if (number !== '' && value > 0 && unit !== '%')
    return { tokens: Math.round(unit === '' ? value : value * 1_000) };
  throw new PagefaultError('E_CONFIG', `"${text}" is no budget`, {
    hint: 'tokens, such as 32000 or 32k, or a share of the trace, such as 25%',
  });
}
