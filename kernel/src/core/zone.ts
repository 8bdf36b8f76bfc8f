/** The user's own clock: what an instant is called in an IANA time zone. */
import { type Instant, PagefaultError } from '@pagefault/contracts';

/** The zone of a process that names none. */
export const UTC = 'UTC';

const ZONE_HINT = 'write an IANA name such as "Europe/Berlin", "America/New_York" or "UTC"';

/** A time of day as a clock on the wall shows it; months from 1. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** The zone under its usual name. Errors: `E_INVALID` for a name that is none; offsets are none, they know no summer. */
export function checkZone(zone: string): string {
  try {
    if (/^[a-z]/i.test(zone)) return formatOf(zone).resolvedOptions().timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  throw new PagefaultError('E_INVALID', `"${zone.slice(0, 80)}" is no time zone`, { hint: ZONE_HINT });
}

// A memo, not state: a format costs a hundred times what it is asked for.
const formats = new Map<string, Intl.DateTimeFormat>();
/** There are some 600 zones, in many spellings. */
const MOST_FORMATS = 1_000;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (formats.size < MOST_FORMATS) formats.set(zone, format);
  return format;
}

/** What a clock in the zone shows at an instant. */
export function localTime(at: Instant, zone: string): LocalTime {
  if (zone === UTC) return utcTime(new Date(at));
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: part('year'),
    month: part('month'),
    day: part('day'),
    hour: part('hour'),
    minute: part('minute'),
    second: part('second'),
  };
}

function utcTime(date: Date): LocalTime {
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

/** To the minute, with the offset that holds then: `2026-11-29T19:29-05:00`, in UTC `2026-11-30T00:29Z`. */
export function localStamp(at: Instant, zone: string): string {
  if (zone === UTC) return `${minuteText(at)}Z`;
  const { year, month, day, hour, minute, second } = localTime(at, zone);
  const shown = Date.UTC(year, month - 1, day, hour, minute, second);
  const offset = Math.round((shown - at) / MINUTE_MS);
  return `${minuteText(shown)}${offsetText(offset)}`;
}

const MINUTE_MS = 60_000;

function minuteText(at: Instant): string {
  return new Date(at).toISOString().slice(0, 16);
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
