/** Reads a point in time as people and models write it. */
import { type Instant, PagefaultError } from '@pagefault/contracts';
import type { LocalTime } from '../core/zone.js';
import { instantIn } from './cron.js';

const ISO = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** An ISO 8601 time; one without an offset is of the zone. Errors: `E_INVALID`. */
export function readInstant(text: string, zone: string): Instant {
  const match = ISO.exec(text.trim());
  if (!match) throw noInstant(text);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const local = { year, month, day, hour, minute, second: Number.isNaN(second) ? 0 : second };
  const instant = exists(local) ? atOffset(local, match[7], zone) : undefined;
  if (instant === undefined) throw noInstant(text);
  return instant;
}

function exists({ year, month, day, hour, minute, second }: LocalTime): boolean {
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  return (
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  );
}

function atOffset(local: LocalTime, offset: string | undefined, zone: string): Instant | undefined {
  if (offset === undefined) return instantIn(zone, local);
  const { year, month, day, hour, minute, second } = local;
  return Date.UTC(year, month - 1, day, hour, minute, second) - offsetMinutes(offset) * 60_000;
}

function offsetMinutes(offset: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function noInstant(text: string): PagefaultError {
  return new PagefaultError('E_INVALID', `"${text.slice(0, 80)}" is no point in time`, {
    hint: 'write "2026-03-01T09:00", or "2026-03-01T09:00+01:00" to say the offset',
  });
}
