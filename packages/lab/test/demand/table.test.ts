import { describe, expect, it } from 'vitest';
import { demandTable, intern, LITERATURE, RequestLog, simulateDemand, simulateMin } from '../../src/index.js';

const requests = intern([1, 2, 3, 1, 2, 4, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5]);

describe('the table of a classic trace', () => {
  it('has MIN first at each size, then the policies by their misses', () => {
    const { rows } = demandTable(requests, [{ size: 3 }, { share: 0.4 }], [LITERATURE.fifo, LITERATURE.mru]);
    expect(
      rows.map(({ policy, size }) => `${policy} ${size}`).filter((name) => name.startsWith('min')),
    ).toEqual(['min 2', 'min 3']);
    for (const at of [0, 3]) {
      const misses = rows.slice(at, at + 3).map((row) => Number(row['misses']));
      expect(misses).toEqual(misses.toSorted((a, b) => a - b));
    }
    expect(rows[3]).toMatchObject({ misses: simulateMin(requests, 3).misses, requests: 16 });
    const fifo = rows.find(({ policy, size }) => policy === 'fifo' && size === 3);
    expect(fifo?.['misses']).toBe(simulateDemand(LITERATURE.fifo(), requests, 3).misses);
  });

  it('counts bytes where pages have sizes, and a share is of all bytes', () => {
    const log = new RequestLog();
    for (const [page, size] of [
      [1, 100],
      [2, 300],
      [1, 100],
      [2, 300],
    ] as const)
      log.add(page, size);
    const { columns, rows } = demandTable(log.requests(), [{ share: 0.5 }], [LITERATURE.lru]);
    expect(columns.map(({ title }) => title)).toContain('size (bytes)');
    expect(rows[1]).toMatchObject({ size: 200, misses: 3, byteMisses: 0.875 });
  });
});
