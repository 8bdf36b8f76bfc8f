import { describe, expect, it } from 'vitest';
import { dayRange } from '../../src/syscall/days.js';

const at = (text: string) => Date.parse(text);

describe('a range of days', () => {
  it('holds the end day whole, also when it is the start day (D12)', () => {
    const { since, until } = dayRange('2019-12-25', '2019-12-25');
    for (const inside of ['2019-12-25T00:00:00Z', '2019-12-25T05:00:00Z', '2019-12-25T23:59:59.999Z']) {
      expect(at(inside) >= since && at(inside) < until).toBe(true);
    }
    expect(at('2019-12-26T00:00:00Z') < until).toBe(false);
  });

  it('is the same for one instant as Z and as an offset (D11)', () => {
    const zulu = dayRange('2024-01-01', '2024-02-01T10:00:00Z');
    expect(dayRange('2024-01-01', '2024-02-01T03:00:00-07:00')).toEqual(zulu);
    expect(zulu.until).toBe(at('2024-02-01T10:00:00Z') + 1);
  });

  it("is of the user's calendar: what was said late in the evening is of today (D13)", () => {
    const zone = 'America/Bogota'; // UTC-5
    const said = at('2026-03-11T04:30:00Z'); // 23:30 on the 10th
    const today = dayRange('2026-03-10', '2026-03-10', zone);
    expect(today).toEqual({ since: at('2026-03-10T05:00:00Z'), until: at('2026-03-11T05:00:00Z') });
    expect(said >= today.since && said < today.until).toBe(true);
    expect(said < dayRange('2026-03-11', '2026-03-11', zone).since).toBe(true);
  });

  it('has 23 or 25 hours where the clocks change, and begins after a midnight that is skipped', () => {
    const hours = (day: string, zone: string) => {
      const { since, until } = dayRange(day, day, zone);
      return (until - since) / 3_600_000;
    };
    expect(hours('2026-03-29', 'Europe/Berlin')).toBe(23);
    expect(hours('2026-10-25', 'Europe/Berlin')).toBe(25);
    // Cuba goes from 0:00 to 1:00.
    expect(dayRange('2026-03-08', '2026-03-08', 'America/Havana').since).toBe(at('2026-03-08T05:00:00Z'));
    expect(hours('2026-03-08', 'America/Havana')).toBe(23);
  });

  it('takes a time without an offset for one of the zone', () => {
    const { since } = dayRange('2026-03-10T09:00', '2026-03-11', 'America/Bogota');
    expect(since).toBe(at('2026-03-10T14:00:00Z'));
  });

  it.each([
    ['yesterday', '2024-01-01'],
    ['2024-01-01', '2024-13-45'],
    ['2024-02-30', '2024-03-01'],
    ['', ''],
  ])('is an error that says how to write it: %o to %o', (start, end) => {
    expect(() => dayRange(start, end)).toThrow('write YYYY-MM-DD');
  });

  it('that ends before it begins is an error, not an empty result', () => {
    expect(() => dayRange('2024-02-01', '2024-01-01')).toThrow('swap them');
  });
});
