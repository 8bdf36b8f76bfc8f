/** A sweep for programs: places by r, where they change, and the lines that both follow from. */
import { costAt, rankingAt } from './crossings.js';
import { BOUND_NAME, kindOfRow } from './figures.js';
import { type Column, column, type Row } from './table.js';
import type { AtBudget, SweepOptions } from './swept.js';

const RANKABLE = column('rankable', 'may be ranked', 'flag');

export const RANKING: readonly Column[] = [
  column('budget', 'budget (tokens)', 'tokens'),
  column('ratio', 'r', 'ratio'),
  column('place', 'place', 'count'),
  column('policy', 'policy', 'text'),
  column('cost', 'cost (tokens)', 'tokens'),
  column('kind', 'kind', 'text'),
  RANKABLE,
];

export function rankingRows(
  { budget, lines, foresight }: AtBudget,
  { bounds = [], ratios }: SweepOptions,
  rankable: boolean,
): readonly Row[] {
  return ratios.flatMap((ratio): readonly Row[] => [
    ...rankingAt(lines, ratio).map(({ name, cost, place }) => ({
      budget,
      ratio,
      place: rankable ? place : null,
      policy: name,
      cost,
      kind: 'policy',
      rankable,
    })),
    ...foresight.map((line) => ({
      budget,
      ratio,
      place: null,
      policy: line.name,
      cost: costAt(line, ratio),
      kind: 'foresight',
      rankable,
    })),
    ...bounds
      .filter((bound) => bound.budget === budget && bound.ratio === ratio)
      .map(({ cost }) => ({ budget, ratio, place: null, policy: BOUND_NAME, cost, kind: 'bound', rankable })),
  ]);
}

export const FLIPS: readonly Column[] = [
  column('budget', 'budget (tokens)', 'tokens'),
  column('ratio', 'r', 'ratio'),
  column('place', 'place', 'count'),
  column('below', 'cheaper below', 'text'),
  column('above', 'cheaper above', 'text'),
];

export const flipRows = ({ budget, flips }: AtBudget): readonly Row[] =>
  flips.map(({ at, below, above, place }) => ({ budget, ratio: at, place, below, above }));

export const LINES: readonly Column[] = [
  column('budget', 'budget (tokens)', 'tokens'),
  column('policy', 'policy', 'text'),
  column('fixed', 'fixed (tokens)', 'tokens'),
  column('slope', 'slope (tokens)', 'tokens'),
  column('kind', 'kind', 'text'),
  RANKABLE,
];

export const lineRows = ({ budget, lines, foresight }: AtBudget, rankable: boolean): readonly Row[] =>
  [...lines, ...foresight].map(({ name, fixed, slope }) => ({
    budget,
    policy: name,
    fixed,
    slope,
    kind: kindOfRow(name),
    rankable,
  }));
