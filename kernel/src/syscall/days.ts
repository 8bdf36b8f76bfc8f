import { type Instant, PagefaultError } from '@pagefault/contracts';
import { UTC } from '../core/zone.js';
import { instantIn } from '../timer/cron.js';
import { readInstant } from '../timer/instant.js';

const DAY = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/;

/**
 * `[since, until)`. A date alone means the whole day as the user's calendar has it, so that the end day is included
 * (D12, D13); a time without an offset is of the zone too. Errors: `E_INVALID`.
 */
export function dayRange(
  start: string,
  end: string,
  zone: string = UTC,
): { readonly since: Instant; readonly until: Instant } {
  const since = startOf(start, zone);
  const until = endOf(end, zone);
  if (until > since) return { since, until };
  throw new PagefaultError('E_INVALID', `the range ends (${end}) before it begins (${start}); swap them`);
}

function startOf(text: string, zone: string): Instant {
  return dayStart(text, 0, zone) ?? momentOf(text, zone);
}

function endOf(text: string, zone: string): Instant {
  return dayStart(text, 1, zone) ?? momentOf(text, zone) + 1;
}

/** Where the day begins that is `later` days after the written one; undefined when none is written. */
function dayStart(text: string, later: number, zone: string): Instant | undefined {
  const [year = 0, month = 0, day = 0] = (DAY.exec(text)?.slice(1) ?? []).map(Number);
  const written = new Date(Date.UTC(year, month - 1, day));
  if (year === 0 || written.getUTCMonth() !== month - 1 || written.getUTCDate() !== day) return undefined;
  return zone === UTC
    ? Date.UTC(year, month - 1, day + later)
    : midnight(Date.UTC(year, month - 1, day + later), zone);
}

/** The first moment of a day, also where clocks skip midnight. */
function midnight(day: Instant, zone: string): Instant | undefined {
  const date = new Date(day);
  return instantIn(zone, {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: 0,
    minute: 0,
    second: 0,
  });
}

function momentOf(text: string, zone: string): Instant {
  try {
    return readInstant(text, zone);
  } catch (cause) {
    const shown = text.slice(0, 40);
    throw new PagefaultError('E_INVALID', `"${shown}" is no date; write YYYY-MM-DD`, { cause });
  }
}
