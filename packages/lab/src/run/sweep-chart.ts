import type { Chart } from '../plots/chart.js';
import { costAt, type Crossing } from './crossings.js';
import { BOUND_NAME, kindOfRow } from './figures.js';
import { shown } from './table.js';
import type { AtBudget, SweepOptions } from './swept.js';

/** Between the tried ratios, where curves against the cheapest bend. */
function finer(ratios: readonly number[], flips: readonly Crossing[]): readonly number[] {
  const between = ratios.slice(1).flatMap((to, at) => {
    const from = ratios[at] ?? to;
    return [0, 1, 2, 3].map((part) => from * (to / from) ** (part / 4));
  });
  const bends = flips.filter(({ place }) => place === 1).map(({ at }) => at);
  return [...new Set([...between, ...ratios, ...bends])].toSorted((a, b) => a - b);
}

export function sweepChart(
  { budget, lines, foresight, flips }: AtBudget,
  { bounds = [], ratios }: SweepOptions,
  subtitle: string,
  ranked: boolean,
): Chart {
  const cheapest = (ratio: number) => Math.min(...lines.map((line) => costAt(line, ratio)));
  const against = (cost: number, ratio: number) => (cost / cheapest(ratio)) * 100;
  const least = bounds.filter((one) => one.budget === budget);
  return {
    name: `sweep-${budget}`,
    title: `Cost against the price of cached tokens, at a budget of ${shown(budget, 'tokens')} tokens`,
    subtitle,
    ranked,
    x: {
      title: 'r: price of a cached token, in plain ones',
      unit: 'ratio',
      scale: 'log',
      ticks: ratios,
      ...ends(ratios),
    },
    y: { title: 'cost (% of the cheapest policy at this r)', unit: 'ratio' },
    series: [
      ...[...lines, ...foresight].map((line) => ({
        name: line.name,
        role: kindOfRow(line.name),
        points: finer(ratios, flips).map((ratio) => [ratio, against(costAt(line, ratio), ratio)] as const),
      })),
      ...(least.length === 0
        ? []
        : [
            {
              name: BOUND_NAME,
              role: 'bound' as const,
              points: least.map(({ ratio, cost }) => [ratio, against(cost, ratio)] as const),
            },
          ]),
    ],
    marks: flips
      .filter(({ place }) => place === 1)
      .map(({ at, above }) => ({
        name: `${above} from ${shown(at, 'ratio')}`,
        axis: 'x',
        at,
        role: 'limit',
      })),
  };
}

function ends(ratios: readonly number[]): { readonly least?: number; readonly most?: number } {
  const [least, most] = [ratios[0], ratios.at(-1)];
  return { ...(least !== undefined && { least }), ...(most !== undefined && { most }) };
}
