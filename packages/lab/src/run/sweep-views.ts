/** A sweep for people. */
import { costAt, rankingAt } from './crossings.js';
import { BOUND_NAME } from './figures.js';
import { column, shown, type Table } from './table.js';
import { FLIPS } from './sweep-tables.js';
import type { AtBudget, SweepOptions } from './swept.js';

/** A row a policy, a column for each r: its place and how much more it costs than the cheapest. */
export function rankingView(
  { budget, lines, foresight }: AtBudget,
  { bounds = [], ratios }: SweepOptions,
  rankable: boolean,
): Table {
  const at = ratios.map((ratio) => rankingAt(lines, ratio));
  const cheapest = at.map(([first]) => first?.cost ?? 0);
  const cells = (costs: readonly number[], places: readonly string[]) =>
    Object.fromEntries(
      ratios.map((ratio, n) => [String(ratio), `${places[n] ?? ''}${more(costs[n] ?? 0, cheapest[n] ?? 0)}`]),
    );
  const order = rankable ? (at[0] ?? []).map(({ name }) => name) : lines.map(({ name }) => name);
  const placed = (name: string) => at.map((ranking) => ranking.find((one) => one.name === name));
  const policies = order.map((name) => ({
    policy: name,
    ...cells(
      placed(name).map((one) => one?.cost ?? 0),
      rankable ? placed(name).map((one) => `${one?.place ?? '–'}: `) : [],
    ),
  }));
  const seers = foresight.map((line) => ({
    policy: line.name,
    ...cells(
      ratios.map((ratio) => costAt(line, ratio)),
      [],
    ),
  }));
  const least = ratios.map(
    (ratio) => bounds.find((one) => one.budget === budget && one.ratio === ratio)?.cost ?? 0,
  );
  const bound = bounds.length === 0 ? [] : [{ policy: BOUND_NAME, ...cells(least, []) }];
  return {
    name: `ranking-${budget}`,
    title: `At ${shown(budget, 'tokens')} tokens, by r: ${rankable ? 'place, and ' : ''}cost of the cheapest, and of the others against it`,
    columns: [
      column('policy', 'policy', 'text'),
      ...ratios.map((ratio) => column(String(ratio), `r = ${ratio}`, 'count')),
    ],
    rows: [...policies, ...seers, ...bound],
  };
}

function more(cost: number, cheapest: number): string {
  if (cost === cheapest) return shown(cost, 'tokens');
  return cheapest === 0 ? '–' : `${cost > cheapest ? '+' : ''}${shown(cost / cheapest - 1, 'share')}`;
}

/** Places that a reader cares for; all are in the table for programs. */
const SEEN_PLACES = 3;

export function flipView({ budget, flips }: AtBudget): Table {
  const seen = flips.filter(({ place }) => place <= SEEN_PLACES);
  const rest = flips.length - seen.length;
  return {
    name: `flips-${budget}`,
    title:
      `At ${shown(budget, 'tokens')} tokens, where the first ${SEEN_PLACES} places change` +
      (rest === 0 ? '' : ` (${shown(rest, 'count')} changes further down are in the CSV and JSON)`) +
      (seen.length === 0 ? ': nowhere' : ''),
    columns: FLIPS.filter(({ key }) => key !== 'budget'),
    rows: seen.map(({ at, below, above, place }) => ({ ratio: at, place, below, above })),
  };
}
