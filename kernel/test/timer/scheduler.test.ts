import type { OwnedRow } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { Scheduler, type SchedulerPort } from '../../src/shell/interrupts/scheduler.js';
import { virtualClock } from '../../src/virtual-clock.js';

/** Rows that are gone once they are claimed. */
function world(port: Partial<SchedulerPort> = {}) {
  const clock = virtualClock(1_000);
  const due = new Map<string, number>();
  const claimed: string[] = [];
  const failures: unknown[] = [];
  const looks = { due: 0, next: 0 };
  const sorted = () => [...due].toSorted((a, b) => a[1] - b[1]);
  const scheduler = new Scheduler({
    clock,
    rows: {
      due: async (now, after) => {
        looks.due++;
        const from = after === undefined ? -Infinity : Number(after);
        const all = sorted().filter(([, at]) => at <= now && at > from);
        const items = all.slice(0, 2).map(([key, dueAt]) => row(key, dueAt));
        const cursor = all.length > 2 ? String(items.at(-1)?.dueAt) : undefined;
        return { items, ...(cursor !== undefined && { cursor }) };
      },
      next: async () => {
        looks.next++;
        return sorted()[0]?.[1];
      },
    },
    claim: async ({ key }, now) => {
      if (due.delete(key)) claimed.push(`${key}@${now}`);
    },
    pollMs: 500,
    shared: false,
    onFailure: (error) => failures.push(error),
    ...port,
  });
  return { clock, due, claimed, failures, looks, scheduler };
}

function row(key: string, dueAt: number): OwnedRow {
  return { pid: 'p', space: 'timers', key, value: null, version: 1, dueAt };
}

describe('the scheduler', () => {
  it('claims what is due when it starts, and then each as it falls due', async () => {
    const { clock, due, claimed, scheduler } = world();
    for (const [key, at] of [
      ['past', 10],
      ['b', 3_000],
      ['a', 2_000],
      ['c', 2_000],
    ] as const)
      due.set(key, at);
    await scheduler.start();
    expect(claimed).toEqual(['past@1000']);
    await clock.advanceTo(10_000);
    expect(claimed).toEqual(['past@1000', 'a@2000', 'c@2000', 'b@3000']);
    await scheduler.stop();
  });

  it('asks nothing while nothing is due, however long (C21)', async () => {
    const { clock, due, looks, claimed, scheduler } = world();
    const month = 30 * 86_400_000;
    due.set('far', 1_000 + month);
    await scheduler.start();
    await clock.advance(month - 1);
    expect([looks, claimed]).toEqual([{ due: 1, next: 1 }, []]);
    await clock.advance(1);
    expect(claimed).toHaveLength(1);
    await scheduler.stop();
  });

  it('wakes for one that is set to fall due before all others, and not for a later one', async () => {
    const { clock, due, looks, claimed, scheduler } = world();
    due.set('late', 9_000);
    await scheduler.start();
    due.set('later', 9_500);
    scheduler.wake(9_500);
    await clock.advance(0);
    expect(looks.due).toBe(1);
    due.set('early', 2_000);
    scheduler.wake(2_000);
    await clock.advanceTo(2_000);
    expect(claimed).toEqual(['early@2000']);
    await clock.advanceTo(10_000);
    expect(claimed).toEqual(['early@2000', 'late@9000', 'later@9500']);
    await scheduler.stop();
  });

  it('sees one that is set while it claims', async () => {
    const { clock, due, claimed, scheduler } = world();
    due.set('first', 1_000);
    const starting = scheduler.start();
    due.set('second', 1_500);
    scheduler.wake(1_500);
    await starting;
    await clock.advance(500);
    expect(claimed).toEqual(['first@1000', 'second@1500']);
    await scheduler.stop();
  });

  it('tries a claim that failed again after a while, and the others at once', async () => {
    const broken = new Set(['bad']);
    const done: string[] = [];
    const { clock, due, failures, scheduler } = world({
      claim: async ({ key }) => {
        if (broken.has(key)) throw new Error('disk full');
        due.delete(key);
        done.push(key);
      },
    });
    for (const key of ['bad', 'x', 'y', 'z']) due.set(key, 1_000 - due.size);
    await scheduler.start();
    expect(done.toSorted()).toEqual(['x', 'y', 'z']);
    await clock.advance(499);
    expect(failures).toHaveLength(1);
    broken.clear();
    await clock.advance(1);
    expect(done).toContain('bad');
    await scheduler.stop();
  });

  it('survives a store that cannot be asked', async () => {
    let failing = true;
    const { clock, due, claimed, failures, scheduler } = world({
      rows: {
        due: async (now) => {
          if (failing) throw new Error('no connection');
          return { items: [...due].filter(([, at]) => at <= now).map(([key, at]) => row(key, at)) };
        },
        next: async () => undefined,
      },
    });
    due.set('a', 500);
    await scheduler.start();
    expect(failures).toHaveLength(1);
    failing = false;
    await clock.advance(500);
    expect(claimed).toEqual(['a@1500']);
    await scheduler.stop();
  });

  it('asks every so often a store that others write to', async () => {
    const { clock, due, claimed, looks, scheduler } = world({ shared: true });
    await scheduler.start();
    due.set('of another kernel', 1_200);
    await clock.advance(499);
    expect(claimed).toEqual([]);
    await clock.advance(1);
    expect(claimed).toEqual(['of another kernel@1500']);
    await clock.advance(5_000);
    expect(looks.due).toBe(12);
    await scheduler.stop();
  });

  it('that is stopped claims nothing any more and waits for nothing (C29)', async () => {
    const { clock, due, claimed, scheduler } = world();
    due.set('a', 2_000);
    await scheduler.start();
    await scheduler.stop();
    expect(clock.waiting).toBe(0);
    scheduler.wake(1_500);
    await clock.advanceTo(3_000);
    expect(claimed).toEqual([]);
  });

  it('that is stopped while it claims ends after the claim under way', async () => {
    const { clock, due, claimed, scheduler } = world();
    for (const key of ['a', 'b', 'c']) due.set(key, 900 + due.size);
    const starting = scheduler.start();
    const stopping = scheduler.stop();
    await Promise.all([starting, stopping]);
    expect(claimed.length).toBeLessThan(3);
    expect(clock.waiting).toBe(0);
  });
});
