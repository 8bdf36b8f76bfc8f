/** Every figure of every run, side by side. */
import { type Experiment, number, rowsOf, warnings } from './experiment.js';
import { faultChart } from './curve.js';
import { subtitleOf } from './facts.js';
import { FIGURE_COLUMNS } from './figures.js';
import type { Study } from './study.js';

/** A terminal has no room for more. */
const SEEN = new Set([
  'policy',
  'budget',
  'faults',
  'faultRate',
  'refaults',
  'evictions',
  'deadPages',
  'meanTokens',
  'cost',
  'dollars',
]);

export function runStudy(experiment: Experiment): Study {
  const { facts, model, notes, prices } = experiment;
  const rows = rowsOf(experiment);
  const subtitle = subtitleOf(facts, 'policies in the order of their cost');
  const ranked = rows.toSorted(
    (a, b) => number(a, 'budget') - number(b, 'budget') || number(a, 'cost') - number(b, 'cost'),
  );
  const columns = FIGURE_COLUMNS.filter(({ key }) => SEEN.has(key));
  const title = 'Policies by budgets';
  return {
    command: 'run',
    title,
    subtitle,
    rankable: facts.judged.rankable,
    tables: [{ name: 'rows', title, columns: FIGURE_COLUMNS, rows }],
    views: [{ name: 'rows', title, columns, rows: facts.judged.rankable ? ranked : rows }],
    charts: [faultChart(experiment, subtitle)],
    notes: [
      `prices of ${model}${prices.asOf === undefined ? '' : ` as of ${prices.asOf}`}`,
      ...notes,
      ...warnings(experiment),
    ],
  };
}
