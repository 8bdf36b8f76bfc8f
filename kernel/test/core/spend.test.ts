import type { Usage } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { spendOf } from '../../src/core/spend.js';
import { Harness } from '../support/harness.js';
import { call, calls, says } from '../support/replies.js';

const PRICES = { input: 2.5, cached: 0.25, written: 3.125, output: 15 };
const usage = (given: Partial<Usage>): Usage => ({ plain: 0, cached: 0, written: 0, output: 0, ...given });

describe('what a reply costs', () => {
  it('is its usage times the prices, in whole millionths of a dollar, rounded up', () => {
    expect(spendOf(usage({ plain: 1_000, output: 100 }), PRICES)).toBe(4_000);
    expect(spendOf(usage({ cached: 4_000, written: 8 }), PRICES)).toBe(1_025);
    expect(spendOf(usage({ plain: 1 }), PRICES)).toBe(3);
    // 0.1 + 0.2 is a little more than 0.3 in binary; that is no cent.
    expect(spendOf(usage({ plain: 1, output: 1 }), { ...PRICES, input: 0.1, output: 0.9 })).toBe(1);
    expect(spendOf(usage({ plain: 30 }), { ...PRICES, input: 0.1 })).toBe(3);
  });

  it('is not known when nothing was reported (all zero means unknown)', () => {
    expect(spendOf(usage({}), PRICES)).toBeUndefined();
  });

  it('is that of long requests above their size, cached input included', () => {
    const prices = { ...PRICES, long: { above: 1_000, input: 5, cached: 1, written: 5, output: 30 } };
    expect(spendOf(usage({ plain: 500, cached: 500 }), prices)).toBe(1_375);
    expect(spendOf(usage({ plain: 500, cached: 501, output: 1 }), prices)).toBe(2_500 + 501 + 30);
  });
});

describe('caps on spending', () => {
  const looks = () => ({ ...calls(call('look', { request_heartbeat: true })), spend: 400_000 });

  it('end the turn that reaches one before its next cycle, and say who spent what of which cap', () => {
    const harness = new Harness({ limits: { turnSpend: 1, repeatLimit: 100 }, reply: looks });
    const result = harness.send('go');
    expect(result).toMatchObject({ outcome: 'spend-cap', cycles: 3 });
    expect(result.failure).toEqual({
      code: 'E_SPEND_CAP',
      message: 'this turn spent $1.20, and limits.turnSpend is $1.00',
      hint: 'raise limits.turnSpend to go on',
    });
    expect(harness.send('again')).toMatchObject({ outcome: 'spend-cap', cycles: 3 });
    expect(harness.state.head.counters.spend).toBe(2_400_000);
  });

  it('of a process let nothing be asked once it is reached, also after a restart, until it is raised', () => {
    const reply = () => ({ ...says('ok'), spend: 600_000 });
    const harness = new Harness({ limits: { processSpend: 1 }, reply });
    expect([harness.send('a').outcome, harness.send('b').outcome]).toEqual(['answered', 'answered']);
    expect(harness.send('c')).toMatchObject({
      outcome: 'spend-cap',
      cycles: 0,
      failure: { message: 'process p1 spent $1.20, and limits.processSpend is $1.00' },
    });
    harness.reload();
    expect(harness.send('d').outcome).toBe('spend-cap');
    harness.reload({ limits: { processSpend: 1.5 } });
    expect(harness.send('e').outcome).toBe('answered');
    // Nothing that was said meanwhile is lost.
    expect(JSON.stringify(harness.lastMessages())).toMatch(/"c".*"d".*"e"/);
  });

  it('leave states alone that were stored before there was any: nothing spent is nothing written', () => {
    const harness = new Harness();
    harness.send('a');
    expect(harness.state.head.counters).not.toHaveProperty('spend');
    harness.reload({ limits: { processSpend: 1 } });
    expect(harness.send('b').outcome).toBe('answered');
  });

  it('whatever replies and summaries cost, the counters are the sum of what was reported', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 5_000_000 }), { minLength: 1, maxLength: 12 }), (spends) => {
        let reported = 0;
        const reply = (_: unknown, n: number) => {
          const spend = spends[n % spends.length] ?? 0;
          reported += spend;
          return { ...says(`answer ${n} ${'wool '.repeat(60)}`), spend };
        };
        const harness = new Harness({ reply });
        for (const n of spends.keys()) harness.send(`${n} ${'fleece '.repeat(60)}`);
        expect(harness.state.head.counters.spend ?? 0).toBe(reported);
      }),
      { numRuns: 30 },
    );
  });
});

it('rounds up what is left over, but not the error of binary fractions', () => {
  const prices = { input: 1.1, cached: 0, written: 0, output: 0 };
  const spend = (plain: number) => spendOf({ plain, cached: 0, written: 0, output: 0 }, prices);
  // 100 * 1.1 is 110.00000000000001.
  expect([spend(100), spend(11)]).toEqual([110, 13]);
});
