import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/clock.js';
import { virtualClock } from '../../src/virtual-clock.js';

const DAY = 86_400_000;

describe('the clock of the system', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it('waits for thirty days, which is longer than a timeout can be, and neither less nor more (C21)', () => {
    const run = vi.fn();
    systemClock.at(1_000_000 + 30 * DAY, run);
    vi.advanceTimersByTime(30 * DAY - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
    vi.advanceTimersByTime(60 * DAY);
    expect(run).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([2 ** 31 - 2, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32])(
    'is on time after %d ms (C21)',
    (wait) => {
      const run = vi.fn();
      systemClock.at(1_000_000 + wait, run);
      vi.advanceTimersByTime(wait - 1);
      expect(run).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(run).toHaveBeenCalledOnce();
    },
  );

  it('runs soon, and never at once, what is past', () => {
    const run = vi.fn();
    systemClock.at(0, run);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('forgets what is cancelled, also after it has waited for long', () => {
    const run = vi.fn();
    const cancel = systemClock.at(1_000_000 + 30 * DAY, run);
    vi.advanceTimersByTime(29 * DAY);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(2 * DAY);
    expect(run).not.toHaveBeenCalled();
  });

  it('is late by a minute at most when the time of day is set forward', () => {
    const run = vi.fn();
    systemClock.at(1_000_000 + DAY, run);
    vi.setSystemTime(1_000_000 + 2 * DAY);
    vi.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledOnce();
  });

  it('waits on when the time of day is set back', () => {
    const run = vi.fn();
    systemClock.at(1_000_000 + 60_000, run);
    vi.setSystemTime(1_000_000 - DAY);
    vi.advanceTimersByTime(60_000);
    expect(run).not.toHaveBeenCalled();
  });

  it('does not keep the program alive (C29)', () => {
    vi.useRealTimers();
    const unref = vi.spyOn(Object.getPrototypeOf(setTimeout(() => undefined)) as NodeJS.Timeout, 'unref');
    systemClock.at(Date.now() + DAY, () => undefined)();
    expect(unref).toHaveBeenCalledOnce();
    unref.mockRestore();
  });
});

describe('a virtual clock', () => {
  it('stands still, and runs what falls due in order when it goes on', async () => {
    const clock = virtualClock(1_000);
    const ran: string[] = [];
    const note = (name: string) => () => void ran.push(`${name}@${clock.now()}`);
    clock.at(3_000, note('late'));
    clock.at(2_000, note('early'));
    clock.at(2_000, note('second'));
    clock.at(9_000, note('never'))();
    await clock.advance(999);
    expect([clock.now(), ran]).toEqual([1_999, []]);
    await clock.advanceTo(10_000);
    expect(ran).toEqual(['early@2000', 'second@2000', 'late@3000']);
    expect([clock.now(), clock.waiting]).toEqual([10_000, 0]);
  });

  it('runs on its way what is asked for on its way', async () => {
    const clock = virtualClock();
    const ran: number[] = [];
    const again = (): void => {
      ran.push(clock.now());
      clock.at(clock.now() + 10, again);
    };
    clock.at(10, again);
    await clock.advance(35);
    expect(ran).toEqual([10, 20, 30]);
    expect(clock.waiting).toBe(1);
  });

  it('lets what it set going settle before the next is due', async () => {
    const clock = virtualClock();
    const ran: string[] = [];
    clock.at(1, () => {
      void Promise.resolve()
        .then(() => Promise.resolve())
        .then(() => ran.push('settled'));
    });
    clock.at(2, () => void ran.push('next'));
    await clock.advance(2);
    expect(ran).toEqual(['settled', 'next']);
  });

  it('runs soon, and never at once, what is past', async () => {
    const clock = virtualClock(5);
    const run = vi.fn();
    clock.at(5, run);
    clock.at(4, run)();
    expect(run).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(run).toHaveBeenCalledOnce();
    await clock.advance(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it('that is set back waits the longer', async () => {
    const clock = virtualClock(100);
    const run = vi.fn();
    clock.at(150, run);
    clock.set(20);
    await clock.advance(100);
    expect(run).not.toHaveBeenCalled();
    await clock.advance(30);
    expect([run.mock.calls.length, clock.now()]).toEqual([1, 150]);
  });
});
