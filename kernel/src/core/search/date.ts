import type { Instant } from '@pagefault/contracts';
import { localTime, UTC } from '../zone.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** The day of an instant in the user's time zone, as prose: `8 May 2023`. Empty when `at` is no time. */
export function dateText(at: Instant, zone: string = UTC): string {
  if (Number.isNaN(new Date(at).getTime())) return '';
  const { year, month, day } = localTime(at, zone);
  return `${day} ${MONTHS[month - 1] ?? ''} ${year}`;
}
