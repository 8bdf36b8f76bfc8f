import { type Instant, PagefaultError } from '@pagefault/contracts';

const DAY_MS = 86_400_000;

/** `[since, until)`; a date alone means the whole day, so that the end day is included (D12). Days are UTC. */
export function dayRange(start: string, end: string): { readonly since: Instant; readonly until: Instant } {
  const since = parse(start, 'start_date');
  const until = isDay(end) ? parse(end, 'end_date') + DAY_MS : parse(end, 'end_date') + 1;
  if (until <= since) {
    throw new PagefaultError('E_INVALID', `end_date ${end} is before start_date ${start}; swap them.`);
  }
  return { since, until };
}

function isDay(text: string): boolean {
  return /^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text);
}

function parse(text: string, name: string): Instant {
  const instant = /^\s*\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text.trim()) : Number.NaN;
  if (Number.isNaN(instant)) {
    throw new PagefaultError('E_INVALID', `${name} "${text.slice(0, 40)}" is no date; write YYYY-MM-DD.`);
  }
  return instant;
}
