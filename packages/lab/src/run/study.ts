/** What a command found: tables for programs, tables for people, charts, and what must be said beside them. Plain data. */
import type { Chart } from '../plots/chart.js';
import type { Table } from './table.js';

export interface Study {
  readonly command: string;
  readonly title: string;
  /** Which traces, how many needs, and whether policies may be ranked on them. Stands in every output. */
  readonly subtitle: string;
  readonly rankable: boolean;
  /** For programs, the main one first. */
  readonly tables: readonly [Table, ...Table[]];
  /** For people. */
  readonly views: readonly Table[];
  readonly charts: readonly Chart[];
  readonly notes: readonly string[];
}
