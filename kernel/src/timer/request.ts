/** From what was asked for to a timer: every check is here, and every error says what a right value looks like. */
import { type Instant, type Milliseconds, PagefaultError } from '@pagefault/contracts';
import { codePoints, groupDigits, isBlank, normaliseText } from '../core/text.js';
import { checkZone, UTC } from '../core/zone.js';
import type { Limits } from '../limits.js';
import { readInstant } from './instant.js';
import { nextDue, type Schedule, shortestGap } from './schedule.js';
import type { Timer } from './timer.js';

/** When it shall fall due: exactly one of `at`, `in`, `every` and `cron`. */
export interface When {
  /** Once: an instant, or an ISO 8601 time; one without an offset is of the zone. */
  readonly at?: Instant | string | undefined;
  /** Once, so long from now. */
  readonly in?: Milliseconds | undefined;
  /** Again and again, the first time one period from now. */
  readonly every?: Milliseconds | undefined;
  /** Five fields: minute, hour, day of month, month, day of week. */
  readonly cron?: string | undefined;
  /** IANA name, for `cron` and for an `at` without an offset. Default: the process's, or else `UTC`. */
  readonly zone?: string | undefined;
}

export interface TimerOrigin {
  readonly id: string;
  readonly now: Instant;
  readonly setBy: Timer['setBy'];
}

type TimerLimits = Pick<Limits, 'timerCharacters' | 'timerIntervalMs'>;

/** Errors: `E_INVALID`. */
export function makeTimer(
  text: string,
  when: When,
  { id, now, setBy }: TimerOrigin,
  limits: TimerLimits,
): Timer {
  const zone = checkZone(when.zone ?? UTC);
  const schedule = scheduleOf(when, zone, now);
  const dueAt = nextDue(schedule, now);
  if (dueAt === undefined || dueAt > LAST_INSTANT) throw neverDue(schedule, now);
  checkGap(schedule, now, limits.timerIntervalMs);
  return {
    id: checkId(id),
    text: checkText(text, limits.timerCharacters),
    schedule,
    ...(zone !== UTC && { zone }),
    dueAt,
    setAt: now,
    setBy,
  };
}

/** The end of the year 9999: the last that four digits can say. */
const LAST_INSTANT: Instant = Date.UTC(10_000, 0, 1) - 1;

function scheduleOf({ at, in: delay, every, cron }: When, zone: string, now: Instant): Schedule {
  if (at !== undefined) return { kind: 'once', at: typeof at === 'number' ? at : readInstant(at, zone) };
  if (delay !== undefined) return { kind: 'once', at: now + checkDuration(delay) };
  if (every !== undefined) return { kind: 'interval', anchor: now, period: checkDuration(every) };
  if (cron === undefined) throw new PagefaultError('E_INVALID', 'the timer has no time at which it is due');
  return { kind: 'cron', expression: checkLength(cron.trim()), zone };
}

/** Whether exactly one is given. Errors: `E_INVALID`, which lists the names. */
export function checkOne(given: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(given).filter((name) => given[name] !== undefined);
  if (names.length === 1) return;
  const found = names.length === 0 ? 'none of them' : names.join(' and ');
  throw new PagefaultError(
    'E_INVALID',
    `a timer takes exactly one of ${Object.keys(given).join(', ')}; there is ${found}`,
    { hint: 'say when it is due in one way' },
  );
}

function checkDuration(duration: Milliseconds): Milliseconds {
  if (Number.isFinite(duration) && duration >= 1) return Math.round(duration);
  throw new PagefaultError('E_INVALID', `a timer cannot wait for ${duration / 1_000} seconds`, {
    hint: 'write a number of seconds above 0, for example 3600 for an hour',
  });
}

// The longest that people write is a list of minutes; a pattern is parsed anew at each occurrence.
const CRON_CHARACTERS = 256;

function checkLength(expression: string): string {
  if (expression.length <= CRON_CHARACTERS) return expression;
  const size = groupDigits(expression.length);
  throw new PagefaultError(
    'E_INVALID',
    `the cron expression has ${size} characters, the limit is ${CRON_CHARACTERS}`,
    {
      hint: 'use ranges and steps, such as "*/5"',
    },
  );
}

function checkGap(schedule: Schedule, now: Instant, least: Milliseconds): void {
  const gap = shortestGap(schedule, now);
  if (gap === undefined || gap >= least) return;
  throw new PagefaultError(
    'E_INVALID',
    `the timer would be due every ${gap / 1_000} seconds, the shortest interval is ${least / 1_000} seconds`,
    { hint: 'choose a longer interval, or lower limits.timerIntervalMs' },
  );
}

function neverDue(schedule: Schedule, now: Instant): PagefaultError {
  if (schedule.kind === 'cron') {
    return new PagefaultError('E_INVALID', `cron "${schedule.expression}" never matches`, {
      hint: 'choose a day that exists, for example "0 9 28 2 *"',
    });
  }
  const time = new Date(now).toISOString();
  const late = schedule.kind === 'once' && schedule.at <= now;
  const problem = late ? `is past: it is ${time} now` : 'is after the year 9999';
  return new PagefaultError('E_INVALID', `the time at which the timer is due ${problem}`, {
    hint: 'choose a later time, or a number of seconds from now',
  });
}

function checkText(text: string, most: number): string {
  const clean = normaliseText(text).trim();
  if (isBlank(clean)) {
    throw new PagefaultError('E_INVALID', 'the text of the timer is empty', {
      hint: 'write what shall be done when it is due',
    });
  }
  const size = codePoints(clean);
  if (size <= most) return clean;
  throw new PagefaultError(
    'E_INVALID',
    `the text of the timer has ${groupDigits(size)} characters, the limit is ${groupDigits(most)}`,
    { hint: 'keep the long text in memory, and let the timer say where it is' },
  );
}

function checkId(id: string): string {
  if (/^[\w.-]{1,64}$/.test(id)) return id;
  throw new PagefaultError('E_INVALID', `the timer id "${id.slice(0, 64)}" is not [A-Za-z0-9_.-]{1,64}`, {
    hint: 'choose an id such as "standup", or leave it out',
  });
}

/** Errors: `E_INVALID` when there are as many as there may be. */
export function checkRoom(timers: readonly unknown[], most: number, hint: string): void {
  if (timers.length < most) return;
  throw new PagefaultError('E_INVALID', `there are ${timers.length} timers, the limit is ${most}`, { hint });
}

/** `E_NOT_FOUND`, which lists the known ones. */
export function unknownTimer(timers: readonly Timer[], id: string): PagefaultError {
  const known = timers.map((timer) => timer.id).join(', ');
  return new PagefaultError('E_NOT_FOUND', `there is no timer "${id.slice(0, 64)}"`, {
    hint: known === '' ? 'there are no timers' : `timers: ${known}`,
  });
}

/** Short, for a model must say it again; by its last digits, which are the random ones. */
export function mintTimerId(mintId: () => string): string {
  return `t${mintId().replaceAll(/\W/g, '').slice(-8)}`;
}
