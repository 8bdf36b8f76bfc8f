/** How many needs are faults, over budgets. */
import type { Chart } from '../plots/chart.js';
import { type Experiment, matrix, number, rowsOf, seriesOf, warnings } from './experiment.js';
import { subtitleOf } from './facts.js';
import { FIGURE_COLUMNS } from './figures.js';
import type { Study } from './study.js';

export function curveStudy(experiment: Experiment): Study {
  const { facts, notes } = experiment;
  const rows = rowsOf(experiment);
  const subtitle = subtitleOf(facts, 'policies in the order of their faults');
  return {
    command: 'curve',
    title: 'Faults over budgets',
    subtitle,
    rankable: facts.judged.rankable,
    tables: [{ name: 'rows', title: 'Figures of each run', columns: FIGURE_COLUMNS, rows }],
    views: [matrix(experiment, rows, { key: 'faultRate', title: 'Faults per need', unit: 'share' })],
    charts: [faultChart(experiment, subtitle)],
    notes: [...notes, ...warnings(experiment)],
  };
}

export function faultChart(experiment: Experiment, subtitle: string): Chart {
  const percent = (row: Parameters<typeof number>[0]) => number(row, 'faultRate') * 100;
  return {
    name: 'faults',
    title: 'Faults over budgets',
    subtitle,
    ranked: experiment.facts.judged.rankable,
    x: { title: 'budget (tokens)', unit: 'tokens' },
    y: { title: 'faults (% of needs)', unit: 'ratio', least: 0 },
    series: seriesOf(rowsOf(experiment), (row) => [number(row, 'budget'), percent(row)]),
  };
}
