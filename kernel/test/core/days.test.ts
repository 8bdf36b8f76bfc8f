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

  it.each([
    ['yesterday', '2024-01-01'],
    ['2024-01-01', '2024-13-45'],
    ['', ''],
  ])('is an error that says how to write it: %o to %o', (start, end) => {
    expect(() => dayRange(start, end)).toThrow('write YYYY-MM-DD');
  });

  it('that ends before it begins is an error, not an empty result', () => {
    expect(() => dayRange('2024-02-01', '2024-01-01')).toThrow('swap them');
  });
});
