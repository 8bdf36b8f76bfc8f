import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MOST_COUNTED,
  nextDue,
  occurrencesIn,
  type Schedule,
  shortestGap,
} from '../../src/timer/schedule.js';

const at = (text: string) => Date.parse(text);

/** The next occurrences, as a clock in Greenwich shows them. */
function list(schedule: Schedule, after: string, count: number): string[] {
  const found: string[] = [];
  let due = nextDue(schedule, at(after));
  for (; due !== undefined && found.length < count; due = nextDue(schedule, due)) {
    found.push(new Date(due).toISOString().slice(5, 16));
  }
  return found;
}

const cron = (expression: string, zone = 'UTC'): Schedule => ({ kind: 'cron', expression, zone });

describe('one time', () => {
  it('is due once, and not again when it is past', () => {
    const once: Schedule = { kind: 'once', at: 1_000 };
    expect([nextDue(once, 999), nextDue(once, 1_000), nextDue(once, 2_000)]).toEqual([
      1_000,
      undefined,
      undefined,
    ]);
  });
});

describe('an interval', () => {
  it('does not drift: each occurrence is a whole number of periods after the anchor', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 1e10 }),
        fc.integer({ min: 0, max: 4e12 }),
        (anchor, period, late) => {
          const after = anchor + late;
          const due = nextDue({ kind: 'interval', anchor, period }, after) ?? 0;
          expect((due - anchor) % period).toBe(0);
          expect(due).toBeGreaterThan(after);
          expect(due - after).toBeLessThanOrEqual(period);
        },
      ),
    );
  });

  it('is first due one period after its anchor, also for a clock that was set back', () => {
    const interval: Schedule = { kind: 'interval', anchor: 10_000, period: 1_000 };
    expect([nextDue(interval, 10_000), nextDue(interval, 3)]).toEqual([11_000, 11_000]);
  });
});

describe('cron', () => {
  it('follows the clock on the wall over the year', () => {
    const office = cron('0 9 * * 1-5', 'America/New_York');
    expect(list(office, '2025-03-07T12:00Z', 2)).toEqual(['03-07T14:00', '03-10T13:00']);
    expect(list(office, '2025-10-31T12:00Z', 2)).toEqual(['10-31T13:00', '11-03T14:00']);
  });

  it('takes a time in the gap of spring at its end, once that day', () => {
    const expected = ['03-30T01:00', '03-31T00:30', '04-01T00:30'];
    expect(list(cron('30 2 * * *', 'Europe/Berlin'), '2025-03-29T12:00Z', 3)).toEqual(expected);
    expect(list(cron('15 2 * * *', 'Australia/Lord_Howe'), '2025-10-04T00:00Z', 2)).toEqual([
      '10-04T15:30',
      '10-05T15:15',
    ]);
  });

  it('takes a time that comes twice in autumn once', () => {
    const expected = ['10-26T00:30', '10-27T01:30'];
    expect(list(cron('30 2 * * *', 'Europe/Berlin'), '2025-10-25T12:00Z', 2)).toEqual(expected);
    expect(list(cron('30 2,14 * * *', 'Europe/Berlin'), '2025-10-25T13:00Z', 2)).toEqual([
      '10-26T00:30',
      '10-26T13:30',
    ]);
  });

  it('goes by what passes when it runs every so many minutes', () => {
    const half = cron('*/30 * * * *', 'Europe/Berlin');
    expect(list(half, '2025-03-30T00:20Z', 3)).toEqual(['03-30T00:30', '03-30T01:00', '03-30T01:30']);
    expect(list(half, '2025-10-26T00:20Z', 4)).toEqual([
      '10-26T00:30',
      '10-26T01:00',
      '10-26T01:30',
      '10-26T02:00',
    ]);
  });

  it('is never due on a day that does not exist', () => {
    expect(nextDue(cron('0 0 31 2 *'), at('2025-01-01'))).toBeUndefined();
  });

  it('gives the same occurrences however late it is asked', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'UTC'];
    const patterns = ['30 2 * * *', '*/20 * * * *', '0 3 * * 0', '15 1-3 * * *', '0 0 1 * *'];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...patterns),
        fc.integer({ min: at('2024-01-01'), max: at('2027-01-01') }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (zone, pattern, after, share) => {
          const schedule = cron(pattern, zone);
          const due = nextDue(schedule, after) ?? 0;
          expect(due).toBeGreaterThan(after);
          const between = after + Math.floor((due - 1 - after) * share);
          expect(nextDue(schedule, between)).toBe(due);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('occurrences that passed', () => {
  it('are counted with both edges told apart', () => {
    const interval: Schedule = { kind: 'interval', anchor: 0, period: 10 };
    expect(occurrencesIn(interval, 10, 30)).toBe(2);
    expect(occurrencesIn(interval, 9, 29)).toBe(2);
    expect(occurrencesIn(interval, 30, 10)).toBe(0);
    expect(occurrencesIn(cron('0 * * * *'), at('2025-01-01T00:00Z'), at('2025-01-01T05:00Z'))).toBe(5);
    expect(occurrencesIn({ kind: 'once', at: 5 }, 0, 9)).toBe(1);
  });

  it('are counted up to a bound, however long nobody looked', () => {
    const years = [at('2000-01-01'), at('2025-01-01')] as const;
    expect(occurrencesIn(cron('* * * * *'), ...years)).toBe(MOST_COUNTED);
    expect(occurrencesIn({ kind: 'interval', anchor: 0, period: 1 }, ...years)).toBe(MOST_COUNTED);
  });
});

describe('the shortest gap', () => {
  it('is seen in what comes next', () => {
    expect(shortestGap(cron('* * * * *'), 0)).toBe(60_000);
    expect(shortestGap(cron('0,59 12 * * *'), 0)).toBe(59 * 60_000);
    expect(shortestGap({ kind: 'interval', anchor: 0, period: 7 }, 0)).toBe(7);
    expect(shortestGap({ kind: 'once', at: 7 }, 0)).toBeUndefined();
  });
});
