import type { TokenPrices, Tokens } from '@pagefault/contracts';
import { dollars, inputEquivalents, ratiosOf } from '../cost/tally.js';
import { billed, faultRate, meanTokens, whole } from '../paging/report.js';
import { type GridRow, isForesight } from './cell.js';
import { type Column, column, type Row } from './table.js';

/** A row of a run, as it is shown. */
export interface Figures {
  readonly policy: string;
  readonly budget: Tokens;
  readonly needs: number;
  readonly faults: number;
  readonly faultRate: number;
  readonly refaults: number;
  readonly evictions: number;
  readonly deadPages: number;
  readonly overflows: number;
  readonly prefetched: number;
  readonly prefetchUsed: number;
  readonly pollution: number;
  readonly meanTokens: Tokens;
  readonly read: Tokens;
  readonly written: Tokens;
  /** Input-token equivalents of all that is billed. */
  readonly cost: number;
  readonly dollars: number;
}

export function figuresOf({ policy, budget, report }: GridRow, prices: TokenPrices): Figures {
  const all = billed(report);
  const sum = whole(all);
  const { needs, faults, refaults, evictions, deadPages, overflows, ...more } = report;
  return {
    policy,
    budget,
    needs,
    faults,
    faultRate: faultRate(report),
    refaults,
    evictions,
    deadPages,
    overflows,
    prefetched: more.prefetched,
    prefetchUsed: more.prefetchUsed,
    pollution: more.pollution,
    meanTokens: meanTokens(report),
    read: sum.read,
    written: sum.written,
    cost: inputEquivalents(sum, ratiosOf(prices)),
    dollars: dollars(all, prices),
  };
}

/** What nothing can be below at a budget. */
export interface BoundFigures {
  readonly budget: Tokens;
  readonly faults: number;
  /** Input-token equivalents. */
  readonly cost: number;
}

export type RowKind = 'policy' | 'foresight' | 'bound';
export const BOUND_NAME = 'lower bound';

export const kindOfRow = (policy: string): RowKind =>
  policy === BOUND_NAME ? 'bound' : isForesight(policy) ? 'foresight' : 'policy';

/** Of every table of figures, for programs. */
export const FIGURE_COLUMNS: readonly Column[] = [
  column('policy', 'policy', 'text'),
  column('budget', 'budget (tokens)', 'tokens'),
  column('needs', 'needs', 'count'),
  column('faults', 'faults', 'count'),
  column('faultRate', 'faults per need', 'share'),
  column('refaults', 'again', 'count'),
  column('evictions', 'evictions', 'count'),
  column('deadPages', 'dead pages', 'count'),
  column('overflows', 'over budget (steps)', 'count'),
  column('prefetched', 'prefetched', 'count'),
  column('prefetchUsed', 'prefetched and used', 'count'),
  column('pollution', 'faults by prefetch', 'count'),
  column('meanTokens', 'mean tokens', 'tokens'),
  column('read', 'read (tokens)', 'tokens'),
  column('written', 'written (tokens)', 'tokens'),
  column('cost', 'cost (tokens)', 'tokens'),
  column('dollars', 'US $', 'dollars'),
  column('kind', 'kind', 'text'),
  column('rankable', 'may be ranked', 'flag'),
];

export function rowOf(figures: Figures, rankable: boolean): Row {
  return { ...figures, kind: kindOfRow(figures.policy), rankable };
}

/** In dollars at the prices of short requests: long ones cost more, so that it stays a bound. */
export function boundRow(
  { budget, faults, cost }: BoundFigures,
  needs: number,
  { input }: TokenPrices,
  rankable: boolean,
): Row {
  const rate = needs === 0 ? 0 : faults / needs;
  const money = (cost * input) / 1e6;
  return {
    policy: BOUND_NAME,
    budget,
    needs,
    faults,
    faultRate: rate,
    cost,
    dollars: money,
    kind: 'bound',
    rankable,
  };
}
