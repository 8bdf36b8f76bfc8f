import { beforeAll, describe, expect, it } from 'vitest';
import { type CacheRun, measureCache } from '../bench/cache.js';

/** Half a minute each on a busy machine. */
const LIMIT = 300_000;

describe.each(['stable', 'classic'] as const)(
  'the cache bill of 200 turns with 30 edits under `%s`',
  (layout) => {
    let run: CacheRun;
    beforeAll(async () => {
      run = await measureCache(layout);
    }, LIMIT);

    it('is of 200 turns, 30 edits, half of them by others, and 4 flushes', () => {
      expect(run).toMatchObject({ turns: 200, edits: 30, flushes: 4 });
      // One request a turn, and one more where the model edits first.
      expect(run.bills).toHaveLength(215);
    });

    it('is what the server reports, request by request', () => {
      const reported = run.reported.map(({ plain, cached, written }) => ({ plain, cached, written }));
      const bills = run.bills.map(({ prompt, cached }) => ({ plain: prompt - cached, cached, written: 0 }));
      expect(reported).toEqual(bills);
    });

    it('adds up: uncached tokens are new text, what was rewritten, and rounding', () => {
      const { prompt, cached, fresh, rewritten, rounding } = run.sum;
      expect(prompt - cached).toBe(fresh + rewritten + rounding);
      for (const bill of run.bills) {
        expect(bill.prompt - bill.cached).toBe(bill.fresh + bill.rewritten + bill.rounding);
        expect(bill.rounding).toBeGreaterThanOrEqual(0);
        expect(bill.rounding).toBeLessThan(128);
      }
    });

    it(`has rewriting ${layout === 'stable' ? 'at the flushes alone' : 'at every edit'}`, () => {
      const rewriting = run.bills.filter(({ rewritten }) => rewritten > 0);
      if (layout === 'classic') return expect(rewriting.length).toBeGreaterThan(30);
      expect(rewriting).toHaveLength(4);
      // Tools and instructions stay: what a flush rewrites is blocks, summary and what it left in the queue.
      const kept = new Set(rewriting.map(({ cached, rounding }) => cached + rounding));
      expect(kept.size).toBe(1);
      for (const { prompt, rewritten } of rewriting) expect(rewritten).toBeLessThan(prompt / 2);
    });
  },
);
