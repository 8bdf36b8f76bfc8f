import type { TokenPrices, Tokens } from '@pagefault/contracts';
import { dollars, inputEquivalents, ratiosOf } from '../cost/tally.js';
import { billed, faultRate, meanTokens, whole } from '../paging/report.js';
import type { GridRow } from './grid.js';

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
  const { needs, faults, refaults, evictions, deadPages, overflows } = report;
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
    meanTokens: meanTokens(report),
    read: sum.read,
    written: sum.written,
    cost: inputEquivalents(sum, ratiosOf(prices)),
    dollars: dollars(all, prices),
  };
}
