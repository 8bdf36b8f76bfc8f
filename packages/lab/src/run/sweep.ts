/** Which policy is the cheapest, as the price of a cached token goes from next to nothing to that of a plain one. */
import { type Experiment, warnings } from './experiment.js';
import { subtitleOf } from './facts.js';
import type { Study } from './study.js';
import { shown } from './table.js';
import { sweepChart } from './sweep-chart.js';
import { FLIPS, flipRows, lineRows, LINES, RANKING, rankingRows } from './sweep-tables.js';
import { flipView, rankingView } from './sweep-views.js';
import { atBudget, type SweepOptions } from './swept.js';

export function sweepStudy(experiment: Experiment, options: SweepOptions): Study {
  const { facts, notes } = experiment;
  const { rankable } = facts.judged;
  const budgets = [...new Set(experiment.rows.map(({ budget }) => budget))].toSorted((a, b) => a - b);
  const swept = budgets.map((budget) => atBudget(experiment, budget, options));
  const subtitle = subtitleOf(facts, 'policies in the order of their cost');
  const { written, output } = options.fixed;
  const prices = `a written token costs w = ${shown(written, 'ratio')} plain ones, one of output q = ${shown(output, 'ratio')}`;
  return {
    command: 'sweep',
    title: 'Cost against the price of cached tokens',
    subtitle,
    rankable,
    tables: [
      {
        name: 'rows',
        title: 'Places by r',
        columns: RANKING,
        rows: swept.flatMap((one) => rankingRows(one, options, rankable)),
      },
      {
        name: 'flips',
        title: 'Where places change',
        columns: FLIPS,
        rows: rankable ? swept.flatMap(flipRows) : [],
      },
      {
        name: 'lines',
        title: 'Cost of each run, as fixed + slope · r',
        columns: LINES,
        rows: swept.flatMap((one) => lineRows(one, rankable)),
      },
    ],
    views: swept.flatMap((one) => [
      rankingView(one, options, rankable),
      ...(rankable ? [flipView(one)] : []),
    ]),
    charts: swept.map((one) => sweepChart(one, options, `${subtitle}; ${prices}`, rankable)),
    notes: [prices, ...notes, ...warnings(experiment)],
  };
}
