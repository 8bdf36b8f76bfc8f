import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkZone, localStamp, localTime } from '../../src/core/zone.js';
import { instantIn } from '../../src/timer/cron.js';

const zones = fc.constantFrom(
  'UTC',
  'America/New_York',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Australia/Lord_Howe',
);
const instants = fc.integer({ min: Date.UTC(1975, 0, 1), max: Date.UTC(2060, 0, 1) });

describe('a time zone', () => {
  it('says an instant as the clock of its user shows it, with the offset that holds then', () => {
    const noon = (text: string) => Date.parse(text);
    expect(localStamp(noon('2026-11-30T00:29:59Z'), 'America/New_York')).toBe('2026-11-29T19:29-05:00');
    expect(localStamp(noon('2026-07-01T12:00:00Z'), 'America/New_York')).toBe('2026-07-01T08:00-04:00');
    expect(localStamp(noon('2026-07-01T12:00:00Z'), 'Asia/Kathmandu')).toBe('2026-07-01T17:45+05:45');
    expect(localStamp(noon('2026-07-01T12:00:00Z'), 'UTC')).toBe('2026-07-01T12:00Z');
  });

  it('says it so that it can be read back', () => {
    fc.assert(
      fc.property(instants, zones, (at, zone) => {
        expect(Date.parse(localStamp(at, zone))).toBe(Math.floor(at / 60_000) * 60_000);
      }),
    );
  });

  it('shows the time at which it is found again, but for hours that come twice', () => {
    fc.assert(
      fc.property(instants, zones, (at, zone) => {
        const local = localTime(at, zone);
        const found = instantIn(zone, local);
        expect(found).toBeDefined();
        expect(localTime(found ?? 0, zone)).toEqual(local);
      }),
      { numRuns: 60 },
    );
  });

  it('goes by its usual name, and an unknown one is told with an example', () => {
    expect(checkZone('america/new_york')).toBe('America/New_York');
    for (const wrong of ['Mars/Olympus', '', '+01:00', '5'])
      expect(() => checkZone(wrong)).toThrow('time zone');
  });
});
