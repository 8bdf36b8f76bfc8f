import { PagefaultError } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/limits.js';
import { checkOne, makeTimer, type When } from '../../src/timer/request.js';

const NOW = Date.parse('2026-01-10T12:00:00Z');
const ORIGIN = { id: 't1', now: NOW, setBy: 'program' } as const;

function make(when: When, text = 'Call Bob.') {
  return makeTimer(text, when, ORIGIN, DEFAULT_LIMITS);
}

const due = (when: When) => new Date(make(when).dueAt).toISOString();

/** What it says, and what to do. */
function refusal(when: When, text?: string): string {
  try {
    make(when, text);
  } catch (error) {
    if (PagefaultError.is(error)) return `${error.code}: ${error.message} -> ${error.hint ?? ''}`;
  }
  throw new Error('it was not refused');
}

describe('a timer', () => {
  it('is due at a time with an offset, or at a time of its zone', () => {
    expect(due({ at: '2026-03-01T09:00:00Z' })).toBe('2026-03-01T09:00:00.000Z');
    expect(due({ at: '2026-03-01T09:00+0530' })).toBe('2026-03-01T03:30:00.000Z');
    expect(due({ at: '2026-03-01 09:00-03' })).toBe('2026-03-01T12:00:00.000Z');
    expect(due({ at: '2026-07-01T09:00' })).toBe('2026-07-01T09:00:00.000Z');
    expect(due({ at: '2026-07-01T09:00', zone: 'Europe/Berlin' })).toBe('2026-07-01T07:00:00.000Z');
    expect(due({ at: '2026-01-11T09:00', zone: 'Europe/Berlin' })).toBe('2026-01-11T08:00:00.000Z');
    expect(due({ at: NOW + 5 })).toBe('2026-01-10T12:00:00.005Z');
  });

  it('at a time of day that the zone leaves out is due after it; of one that comes twice, at the first', () => {
    expect(due({ at: '2026-03-29T02:30', zone: 'Europe/Berlin' })).toBe('2026-03-29T01:00:00.000Z');
    expect(due({ at: '2026-10-25T02:30', zone: 'Europe/Berlin' })).toBe('2026-10-25T00:30:00.000Z');
  });

  it('is due after a while, after each period, or by cron', () => {
    expect(due({ in: 90_000 })).toBe('2026-01-10T12:01:30.000Z');
    expect(due({ every: 3_600_000 })).toBe('2026-01-10T13:00:00.000Z');
    expect(due({ cron: ' 0 9 * * 1 ', zone: 'Asia/Tokyo' })).toBe('2026-01-12T00:00:00.000Z');
    expect(make({ cron: '@daily' }).schedule).toEqual({ kind: 'cron', expression: '@daily', zone: 'UTC' });
  });

  it('keeps its text as it can be stored', () => {
    expect(make({ in: 1_000 }, ' a\u0000b\ud800 ').text).toBe('ab\ufffd');
  });
});

describe('a wrong timer is refused with what a right one looks like:', () => {
  it.each<[string, When, string]>([
    ['a past time', { at: '2026-01-10T11:59Z' }, 'is past: it is 2026-01-10T12:00:00.000Z now'],
    ['now', { at: NOW }, 'is past'],
    ['a day that does not exist', { at: '2026-02-30T09:00Z' }, 'write "2026-03-01T09:00"'],
    ['a day without a time', { at: '2026-02-03' }, 'is no point in time'],
    ['words', { at: 'tomorrow at nine' }, '"tomorrow at nine" is no point in time'],
    ['an hour 24', { at: '2026-02-03T24:00Z' }, 'is no point in time'],
    ['a year beyond four digits', { in: 1e15 }, 'after the year 9999'],
    ['a wait that is no number', { in: Number.NaN }, 'above 0'],
    ['a wait of nothing', { in: 0 }, 'above 0'],
    ['a wait back', { every: -5 }, 'above 0'],
    ['too short an interval', { every: 59_000 }, 'every 59 seconds, the shortest interval is 60 seconds'],
    ['a cron with seconds', { cron: '* * * * * *' }, 'five fields'],
    ['a cron that is none', { cron: 'every day' }, 'for example "0 9 * * 1-5"'],
    ['an hour 25', { cron: '0 25 * * *' }, 'Invalid value for hour: 25'],
    ['a cron that never comes', { cron: '0 0 31 2 *' }, 'never matches'],
    ['a cron too long', { cron: `${'1,'.repeat(200)}1 * * * *` }, 'the limit is 256'],
    ['a zone that is none', { cron: '0 9 * * *', zone: 'Mars/Olympus' }, 'such as "Europe/Berlin"'],
    ['an offset for a zone', { cron: '0 9 * * *', zone: '+02:00' }, 'is no time zone'],
  ])('%s', (_, when, says) => {
    const message = refusal(when);
    expect(message).toMatch(/^E_INVALID: /);
    expect(message).toContain(says);
  });

  it('an empty text, or one over the limit', () => {
    expect(refusal({ in: 1_000 }, ' \u200b')).toContain('is empty');
    expect(refusal({ in: 1_000 }, 'x'.repeat(2_001))).toContain('has 2,001 characters, the limit is 2,000');
  });

  it('an id that could not be told apart from what stands beside it', () => {
    expect(() => makeTimer('x', { in: 1_000 }, { ...ORIGIN, id: 'a@1' }, DEFAULT_LIMITS)).toThrow(
      'the timer id "a@1" is not',
    );
  });

  it('no time, or two', () => {
    expect(() => checkOne({ at: undefined, in_seconds: undefined })).toThrow(
      'a timer takes exactly one of at, in_seconds; there is none of them',
    );
    expect(() => checkOne({ at: '…', in_seconds: 5 })).toThrow('there is at and in_seconds');
    expect(() => checkOne({ at: '…', in_seconds: undefined })).not.toThrow();
  });

  it('an interval by cron that is shorter than the limit, when the limit was raised', () => {
    const limits = { ...DEFAULT_LIMITS, timerIntervalMs: 3_600_000 };
    expect(() => makeTimer('x', { cron: '*/5 * * * *' }, ORIGIN, limits)).toThrow('every 300 seconds');
    expect(() => makeTimer('x', { cron: '0 * * * *' }, ORIGIN, limits)).not.toThrow();
  });
});
