import type { Instant } from '@pagefault/contracts';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The day of an instant in UTC, as prose: `8 May 2023`. Empty when `at` is no time. */
export function dateText(at: Instant): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '';
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ''} ${date.getUTCFullYear()}`;
}
