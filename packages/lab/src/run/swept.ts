/** A run at a budget as lines over r, the price of a cached token against a plain one. */
import type { Tokens } from '@pagefault/contracts';
import type { PriceRatios } from '../cost/tally.js';
import { billed, whole } from '../paging/report.js';
import { type GridRow, isForesight } from './cell.js';
import { type Crossing, crossings, type Line } from './crossings.js';
import type { Experiment } from './experiment.js';

export interface SweepOptions {
  /** What is tried of r, the price of a cached token against a plain one; ascending. */
  readonly ratios: readonly number[];
  /** w and q, which stay. */
  readonly fixed: Pick<PriceRatios, 'written' | 'output'>;
  /** What nothing can cost less than, at each budget and r. */
  readonly bounds?: readonly { readonly budget: Tokens; readonly ratio: number; readonly cost: number }[];
}

/** Of models with a cache, and of one without. */
export const SWEPT_RATIOS: readonly number[] = [0.02, 0.025, 0.05, 0.1, 0.2, 0.5, 1];

export function lineOf({ policy, report }: GridRow, { written, output }: SweepOptions['fixed']): Line {
  const sum = whole(billed(report));
  return { name: policy, fixed: written * sum.written + sum.plain + output * sum.output, slope: sum.read };
}

export interface AtBudget {
  readonly budget: Tokens;
  readonly lines: readonly Line[];
  /** Nobody can run these: they have no place. */
  readonly foresight: readonly Line[];
  readonly flips: readonly Crossing[];
}

export function atBudget({ rows }: Experiment, budget: Tokens, { fixed, ratios }: SweepOptions): AtBudget {
  const here = rows.filter((row) => row.budget === budget);
  const linesOf = (some: readonly GridRow[]) => some.map((row) => lineOf(row, fixed));
  const lines = linesOf(here.filter(({ policy }) => !isForesight(policy)));
  const [from = 0, to = 1] = [ratios[0], ratios.at(-1)];
  const foresight = linesOf(here.filter(({ policy }) => isForesight(policy)));
  return { budget, lines, foresight, flips: crossings(lines, from, to) };
}
