/** A study on standard output: for people, or for programs. */
import { csvOf, shown, type Study, type Table } from '@pagefault/lab';
import { formatTable } from '../../terminal/index.js';
import type { Io } from '../shared/io.js';
import { createPrinter } from '../shared/print.js';

export interface Told {
  /** What else programs are told: traces, prices, setup. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export function printStudy(io: Io, study: Study, { context, json = false, csv = false }: Told): void {
  const printer = createPrinter(io);
  if (json) return printer.json(studyForPrograms(study, context));
  if (csv) return printer.line(csvOf(study.tables[0]));
  const views = study.views.map(
    (table) => (study.views.length > 1 ? `${table.title}\n` : '') + textOf(table),
  );
  printer.line([study.subtitle, ...views].join('\n\n'));
  for (const note of study.notes) printer.note(note);
}

export function studyForPrograms(
  { command, rankable, notes, tables }: Study,
  context: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const rows = Object.fromEntries(tables.map((table) => [table.name, table.rows]));
  return { command, ...context, rankable, notes, ...rows };
}

/** For people. */
export function textOf({ columns, rows }: Table): string {
  if (rows.length === 0) return 'none';
  const heads = columns.map(
    ({ title, unit }) => ({ title, align: unit === 'text' ? 'left' : 'right' }) as const,
  );
  return formatTable(
    heads,
    rows.map((row) => columns.map(({ key, unit }) => shown(row[key], unit))),
  );
}
