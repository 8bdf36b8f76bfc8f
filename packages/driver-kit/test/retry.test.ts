import { getEventListeners } from 'node:events';
import { PagefaultError } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, retry, SYSTEM_TIMING, type Timing } from '../src/index.js';

const busy = new PagefaultError('E_OVERLOADED', 'busy', { retryable: true });
const wrong = new PagefaultError('E_REQUEST', 'wrong');

/** A clock that only moves when somebody sleeps. */
function fakeTiming(random = 1): Timing & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = 0;
  return {
    slept,
    now: () => now,
    random: () => random,
    sleep: (span) => {
      slept.push(span);
      now += span;
      return Promise.resolve();
    },
  };
}

function failing(times: number, error: unknown): { tries: number; work(): Promise<string> } {
  const state = {
    tries: 0,
    work: () => {
      state.tries += 1;
      return state.tries <= times ? Promise.reject(error) : Promise.resolve('done');
    },
  };
  return state;
}

describe('retry', () => {
  it('tries again after a failure that may pass, with doubling waits', async () => {
    const timing = fakeTiming();
    const flaky = failing(3, busy);
    const options = { attempts: 5, delay: { first: 100, most: 350 } };
    expect(await retry(flaky.work, options, timing)).toBe('done');
    expect(timing.slept).toEqual([100, 200, 350]);
  });

  it('waits at least half of each step, so that many callers do not come back at once', async () => {
    const timing = fakeTiming(0);
    await retry(failing(1, busy).work, { attempts: 2, delay: { first: 100, most: 100 } }, timing);
    expect(timing.slept).toEqual([50]);
  });

  it('does not try again what would fail again (C18)', async () => {
    const hopeless = failing(9, wrong);
    await expect(retry(hopeless.work, { attempts: 5 }, fakeTiming())).rejects.toBe(wrong);
    expect(hopeless.tries).toBe(1);
  });

  it('gives up after the last try with the error itself', async () => {
    const flaky = failing(9, busy);
    await expect(retry(flaky.work, { attempts: 3 }, fakeTiming())).rejects.toBe(busy);
    expect(flaky.tries).toBe(3);
  });

  it('waits as long as the other side asks, and never past the deadline (C16 C17)', async () => {
    const timing = fakeTiming(0);
    const flaky = failing(9, busy);
    const options = { attempts: 9, deadline: 5_000, retryAfter: () => 2_000 };
    await expect(retry(flaky.work, options, timing)).rejects.toBe(busy);
    expect(timing.slept).toEqual([2_000, 2_000]);
  });

  it('stops waiting when the caller aborts', async () => {
    const controller = new AbortController();
    const work = () => {
      queueMicrotask(() => controller.abort());
      return Promise.reject(busy);
    };
    const options = { attempts: 2, signal: controller.signal, delay: { first: 600_000, most: 600_000 } };
    await expect(retry(work, options)).rejects.toMatchObject({ code: 'E_ABORTED' });
  });

  it('starts nothing when the caller has aborted already', async () => {
    const idle = failing(0, busy);
    const options = { attempts: 2, signal: AbortSignal.abort() };
    await expect(retry(idle.work, options)).rejects.toMatchObject({ code: 'E_ABORTED' });
    expect(idle.tries).toBe(0);
  });

  it('leaves no listener on a signal that serves many calls (C19)', async () => {
    const { signal } = new AbortController();
    const listeners: number[] = [];
    const timing: Timing = {
      ...SYSTEM_TIMING,
      sleep: async (_span, own) => {
        const nap = SYSTEM_TIMING.sleep(1, own);
        listeners.push(getEventListeners(signal, 'abort').length);
        await nap;
      },
    };
    for (let call = 0; call < 50; call += 1) {
      await retry(failing(1, busy).work, { attempts: 2, signal }, timing);
    }
    expect(Math.max(...listeners)).toBe(1);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('Retry-After (C17)', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const parse = (headers: Record<string, string>) => parseRetryAfter((name) => headers[name], now);

  it.each([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': '1000000000' }, 60_000],
    [{ 'retry-after': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 60_000],
    [{ 'retry-after': '-5' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('reads %j as %s ms', (headers, span) => {
    expect(parse(headers as Record<string, string>)).toBe(span);
  });
});
