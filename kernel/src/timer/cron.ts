/**
 * Cron by croner, of which only the arithmetic is used; it starts no timer here.
 *
 * Across a change of clocks: a time of day that does not exist (2:30 when the clock goes from 2 to 3) is taken at the
 * end of the gap, and one that comes twice is taken once. Patterns with a step or a wildcard in minute or hour go by
 * what passes: they skip the gap, and run in both hours of an overlap.
 */
import { type Instant, PagefaultError } from '@pagefault/contracts';
import { Cron } from 'croner';
import type { LocalTime } from '../core/zone.js';

const CRON_HINT =
  'write five fields, minute hour day-of-month month day-of-week, for example "0 9 * * 1-5" for 9:00 from Monday to Friday';

/** From an instant to the first match later than it; to undefined when there is none. Errors: `E_INVALID`. */
export function cronMatches(expression: string, zone: string): (after: Instant) => Instant | undefined {
  const cron = parse(expression, zone);
  return (after) => cron.nextRun(new Date(after))?.getTime();
}

function parse(expression: string, zone: string): Cron {
  try {
    return new Cron(expression, {
      timezone: zone,
      paused: true,
      // Minutes are fine enough: each occurrence is a turn.
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : String(error);
    throw new PagefaultError('E_INVALID', `cron "${expression.slice(0, 80)}" cannot be read: ${reason}`, {
      hint: CRON_HINT,
      cause: error,
    });
  }
}

/**
 * When a clock in the zone shows this: after the gap when it is in one, the first time when it comes twice; undefined
 * when there is no such day.
 */
export function instantIn(zone: string, local: LocalTime): Instant | undefined {
  const { year, month, day, hour, minute, second } = local;
  const pattern = [second, minute, hour, day, month, '*', year].join(' ');
  const cron = new Cron(pattern, { timezone: zone, paused: true, mode: '7-part' });
  // No zone is more than a day away from UTC.
  return cron.nextRun(new Date(Date.UTC(year, month - 1, day - 2)))?.getTime();
}
