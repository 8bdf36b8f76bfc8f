/** Rows of figures, each column with its unit: for programs as they are, for people as text. */
/** What a number counts, so that every output shows it the same way. */
export type Unit = 'text' | 'count' | 'tokens' | 'share' | 'dollars' | 'ratio' | 'flag';
export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

export interface Column {
  /** Of the rows; the name in CSV and JSON. */
  readonly key: string;
  /** For people, with its unit. */
  readonly title: string;
  readonly unit: Unit;
}

export const column = (key: string, title: string, unit: Unit): Column => ({ key, title, unit });

export interface Table {
  /** Of the file that holds it. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

const grouped = (value: number, decimals: number) =>
  value.toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** For people; the same on every machine, whatever its language. */
export function shown(value: Value | undefined, unit: Unit): string {
  if (value === null || value === undefined) return '–';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (!Number.isFinite(value)) return '–';
  switch (unit) {
    case 'share':
      return `${grouped(value * 100, 1)} %`;
    case 'dollars':
      return grouped(value, Math.abs(value) < 100 ? 4 : 2);
    case 'ratio':
      return String(Number(value.toPrecision(4)));
    case 'text':
    case 'flag':
    case 'count':
    case 'tokens':
      return grouped(Math.round(value) + 0, 0);
  }
}

/** With a head; text that holds a comma, a quote or a line end stands in quotes, as RFC 4180 has it. */
export function csvOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const head = columns.map(({ key }) => key).join(',');
  const line = (row: Row) => columns.map(({ key }) => csvCell(row[key])).join(',');
  return [head, ...rows.map(line)].join('\n');
}

function csvCell(value: Value | undefined): string {
  const text = value === null || value === undefined ? '' : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
