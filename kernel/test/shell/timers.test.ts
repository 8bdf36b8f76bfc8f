import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import type { ReplyFunction } from '@pagefault/driver-processor-scripted';
import { afterEach, describe, expect, it } from 'vitest';
import type { Kernel } from '../../src/shell/kernel.js';
import { virtualClock } from '../../src/virtual-clock.js';
import { faultyRecall, keptOpen, turnOfTheLoop } from '../support/recall.js';
import { ask, gate, hasResults, lastResult, startKernel, type StackOptions, tell } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { turnsOf } from '../support/turns.js';

const START = Date.parse('2026-03-28T12:00:00Z');
const HOUR = 3_600_000;

const open: Kernel[] = [];
afterEach(async () => {
  for (const kernel of open.splice(0)) await kernel.close();
});

async function start(options: StackOptions = {}) {
  const clock = virtualClock(START);
  const started = await startKernel({ clock, replies: heard, ...options });
  open.push(started.kernel);
  return { ...started, clock, turns: turnsOf(started.kernel) };
}

/** Says what the last system or user message was. */
const heard: ReplyFunction = ({ messages }) => {
  const said = messages.filter(({ role }) => role !== 'assistant' && role !== 'tool');
  const texts = said.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
  return tell(`heard: ${texts.findLast((text) => !text.startsWith('[Memory')) ?? ''}`);
};

/** The second is as good as dead, and has nothing to give back. */
async function closeBoth(alive: Kernel, dead: Kernel): Promise<void> {
  open.length = 0;
  await alive.close();
  await dead.close().catch(() => undefined);
}

function shared(base: RecallDriver = createMemoryRecall()): RecallDriver {
  return { ...keptOpen(base), supports: { shared: true, durable: false } };
}

onEachStore('a timer', (createRecall) => {
  it('wakes its process when it is due, once', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    const timer = await process.timers.set({ text: 'Call Bob.', in: HOUR });
    await clock.advance(HOUR - 1);
    expect(turns.results).toEqual([]);
    await clock.advance(1);
    await turns.reached(1);
    expect(turns.results[0]).toMatchObject({ interruptId: `${timer.id}@${START + HOUR}` });
    expect(turns.results[0]?.text).toContain('\nCall Bob.');
    expect(await process.timers.list()).toEqual([]);
  });

  it('that repeats does not drift, however late each turn is', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    for (let n = 1; n <= 3; n++) {
      await clock.advanceTo(START + n * HOUR + n * 1_234);
      await turns.reached(n);
    }
    expect(turns.results.map(({ interruptId }) => interruptId)).toEqual(
      [1, 2, 3].map((n) => `hourly@${START + n * HOUR}`),
    );
    expect((await process.timers.list())[0]?.dueAt).toBe(START + 4 * HOUR);
  });

  it('that fell due while nothing ran is served at the next start, once, and says how often', async () => {
    const recall = createRecall();
    const first = await start({ recall: keptOpen(recall) });
    const { pid, timers } = await first.kernel.spawn();
    await timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    await first.kernel.close();
    const second = await start({ recall: keptOpen(recall) });
    second.clock.set(START + 5 * HOUR + 1);
    await second.kernel.serve();
    await second.turns.reached(1);
    expect(second.turns.results[0]).toMatchObject({ interruptId: `hourly@${START + HOUR}`, pid });
    expect(second.turns.results[0]?.text).toContain('stands for 5 of its occurrences');
    await second.clock.advance(HOUR);
    await second.turns.reached(2);
    expect(second.turns.results[1]).toMatchObject({ interruptId: `hourly@${START + 6 * HOUR}` });
  });

  it('is set, shown and cancelled by the model', async () => {
    const { kernel, clock, turns } = await start({
      recall: createRecall(),
      replies: (request) => {
        const result = hasResults(request) ? lastResult(request) : undefined;
        if (JSON.stringify(request.messages.at(-2)).includes('[Timer')) return tell('watered');
        if (result !== undefined) return tell(result);
        return ask('set_timer', { text: 'Water the plants', every_seconds: 3600 });
      },
    });
    const process = await kernel.spawn();
    await kernel.serve();
    const set = JSON.parse((await process.send('remind me')).text) as { timer: string; due: string };
    expect(set.due).toBe('2026-03-28T13:00Z');
    expect(await process.timers.list()).toMatchObject([{ id: set.timer, setBy: 'model' }]);
    await clock.advance(HOUR);
    await turns.reached(2);
    expect(turns.results[1]?.text).toBe('watered');
    await process.timers.cancel(set.timer);
    await clock.advance(5 * HOUR);
    expect(turns.results).toHaveLength(2);
  });

  it('of a paused process waits, coalesced to one, and says how many it stands for (C22)', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.pause();
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    for (let n = 1; n <= 4; n++) {
      await clock.advance(HOUR);
      await settled(process, START + (n + 1) * HOUR);
    }
    expect(turns.results).toEqual([]);
    await process.resume();
    expect(turns.results).toHaveLength(1);
    expect(turns.results[0]?.text).toContain('stands for 4 of its occurrences; next on 2026-03-28T17:00Z');
  });

  it('of a masked kind waits until it is unmasked', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.mask('timer');
    await process.timers.set({ text: 'Look.', in: HOUR });
    await clock.advance(HOUR);
    await settled(process, undefined);
    expect((await process.send('hello')).text).toBe('heard: hello');
    await process.unmask('timer');
    expect(turns.results.map(({ text }) => text.includes('Look.'))).toEqual([false, true]);
  });

  it('of a killed process is gone', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ text: 'Look.', every: HOUR });
    await process.kill();
    await clock.advance(HOUR);
    await settled(process, undefined);
    expect(turns.results).toEqual([]);
  });

  it('is not inherited by a fork', async () => {
    const { kernel } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await process.timers.set({ text: 'Look.', every: HOUR });
    expect(await (await process.fork()).timers.list()).toEqual([]);
  });

  it('does not fire twice when the clock is set back', async () => {
    const { kernel, clock, turns } = await start({ recall: createRecall() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    await process.timers.set({ id: 'once', text: 'Go.', in: HOUR });
    await clock.advance(HOUR);
    await turns.reached(2);
    clock.set(START);
    await process.timers.set({ text: 'Wake the scheduler.', in: 1 });
    await clock.advance(HOUR);
    await turns.reached(3);
    expect(turns.results.map(({ interruptId }) => interruptId.split('@')[0])).toHaveLength(3);
    expect(new Set(turns.results.map(({ interruptId }) => interruptId)).size).toBe(3);
    expect((await process.timers.list())[0]?.dueAt).toBe(START + 2 * HOUR);
  });

  it('that is cancelled takes the occurrence that waits with it, and leaves nothing', async () => {
    const recall = createRecall();
    const { kernel, clock, turns } = await start({ recall });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.pause();
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    await process.timers.set({ id: 'once', text: 'Go.', in: HOUR });
    await clock.advance(HOUR);
    await clock.advance(HOUR);
    while ((await recall.load(process.pid, ['timers'])).length > 1) await turnOfTheLoop();
    await settled(process, START + 3 * HOUR);
    await process.timers.cancel('hourly');
    await process.timers.cancel('once');
    await process.resume();
    expect(turns.results).toEqual([]);
    expect(await recall.load(process.pid, ['timers', 'inbox', 'coalescing', 'deliveries'])).toMatchObject([]);
    await expect(process.timers.cancel('once')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('that the model cancels takes the occurrence that waits with it', async () => {
    const recall = createRecall();
    const { kernel, clock, turns } = await start({
      recall,
      replies: (request) =>
        hasResults(request) ? tell(lastResult(request)) : ask('cancel_timer', { timer: 'hourly' }),
    });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.mask('timer');
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    await clock.advance(HOUR);
    await settled(process, START + 2 * HOUR);
    expect((await process.send('stop it')).text).toBe('{"cancelled":"hourly"}');
    await process.unmask('timer');
    expect((await process.send('stop it')).text).toContain('there is no timer "hourly"');
    expect(turns.results).toHaveLength(2);
    expect(await recall.load(process.pid, ['timers', 'inbox', 'coalescing'])).toEqual([]);
  });

  it('that is due again and again leaves no more than so many outcomes', async () => {
    const recall = createRecall();
    const { kernel, clock, turns } = await start({ recall, limits: { timerDeliveries: 3 } });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ id: 'hourly', text: 'Look.', every: HOUR });
    const hours = async (from: number, to: number, reached?: (n: number) => Promise<void>) => {
      for (let n = from; n <= to; n++) {
        await clock.advanceTo(START + n * HOUR);
        await settled(process, START + (n + 1) * HOUR);
        await reached?.(n);
      }
    };
    const known = async () => (await recall.load(process.pid, ['deliveries'])).map(({ key }) => key);
    const at = (...hours: readonly number[]) => hours.map((n) => `hourly@${START + n * HOUR}`);
    await hours(1, 8, (n) => turns.reached(n));
    expect(await known()).toEqual(at(6, 7, 8));
    await process.pause();
    await hours(9, 16);
    // The first that waits stands for all, and is not forgotten before it was served.
    expect((await known()).toSorted()).toEqual(at(14, 15, 16, 9).toSorted());
    await process.resume();
    await hours(17, 19, (n) => turns.reached(n - 8));
    expect((await known()).toSorted()).toEqual(at(17, 18, 19));
    expect(turns.results[8]?.text).toContain('stands for 8 of its occurrences');
  });

  it('of an id that was replaced still knows its occurrences', async () => {
    const recall = createRecall();
    const { kernel, clock, turns } = await start({ recall, limits: { timerDeliveries: 1 } });
    const process = await kernel.spawn();
    await kernel.serve();
    for (let n = 1; n <= 3; n++) {
      await process.timers.set({ id: 'hourly', text: `Look ${n} times.`, every: HOUR });
      await clock.advance(HOUR);
      await turns.reached(n);
    }
    expect(await recall.load(process.pid, ['deliveries'])).toHaveLength(1);
  });
});

/** Resolves when the timers of a process have moved on so far. */
async function settled(
  process: { readonly timers: { list(): Promise<readonly { readonly dueAt: number }[]> } },
  dueAt: number | undefined,
): Promise<void> {
  while ((await process.timers.list())[0]?.dueAt !== dueAt) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('timers of a process', () => {
  it('are listed by when they are due', async () => {
    const { kernel } = await start();
    const { timers } = await kernel.spawn();
    await timers.set({ id: 'b', text: 'B', in: 2_000 });
    await timers.set({ id: 'a', text: 'A', in: 1_000 });
    expect((await timers.list()).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('of one id are replaced by one that differs, and kept by one that does not', async () => {
    const { kernel, clock } = await start();
    const { timers } = await kernel.spawn();
    const first = await timers.set({ id: 'daily', text: 'Look.', every: 24 * HOUR });
    await clock.advance(23 * HOUR);
    expect(await timers.set({ id: 'daily', text: 'Look.', every: 24 * HOUR })).toEqual(first);
    const other = await timers.set({ id: 'daily', text: 'Look!', every: 24 * HOUR });
    expect(other.dueAt).toBe(START + 47 * HOUR);
    expect(await timers.list()).toEqual([other]);
  });

  it('cannot be more than the limit', async () => {
    const { kernel } = await start({ limits: { timersPerProcess: 2 } });
    const { timers } = await kernel.spawn();
    await timers.set({ id: 'a', text: 'A', in: 1 });
    await timers.set({ id: 'b', text: 'B', in: 1 });
    await expect(timers.set({ id: 'c', text: 'C', in: 1 })).rejects.toThrow(
      'there are 2 timers, the limit is 2',
    );
    await timers.set({ id: 'b', text: 'other', in: 1 });
    await timers.cancel('a');
    await timers.set({ id: 'c', text: 'C', in: 1 });
  });

  it('that are unknown are told with the known ones', async () => {
    const { kernel } = await start();
    const { timers } = await kernel.spawn();
    await expect(timers.cancel('x')).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      hint: 'there are no timers',
    });
    await timers.set({ id: 'a', text: 'A', in: 1 });
    await expect(timers.cancel('x')).rejects.toMatchObject({ hint: 'timers: a' });
  });

  it('that a turn on an overlay sets and cancels are nowhere else', async () => {
    const { kernel } = await start({
      replies: (request) => {
        if (!hasResults(request)) return ask('set_timer', { text: 'Look.', in_seconds: 5 });
        const result = JSON.parse(lastResult(request)) as { timer?: string };
        return result.timer === undefined ? tell('cancelled') : ask('cancel_timer', { timer: result.timer });
      },
    });
    const process = await kernel.spawn();
    expect((await process.ask('remind me')).text).toBe('cancelled');
    expect(await process.timers.list()).toEqual([]);
  });

  it('that a model sets wrongly are refused with what a right one looks like', async () => {
    const told: string[] = [];
    const wrong = [
      { text: 'x' },
      { text: 'x', at: '2026-03-29T09:00', cron: '* * * * *' },
      { text: 'x', every_seconds: 5 },
      { text: ' ', in_seconds: 5 },
    ];
    const { kernel } = await start({
      replies: (request) => {
        if (hasResults(request)) told.push(lastResult(request));
        const args = wrong[told.length];
        return args ? ask('set_timer', args) : tell('given up');
      },
    });
    await (await kernel.spawn()).send('remind me');
    expect(told[0]).toContain('exactly one of at, in_seconds, every_seconds, cron; there is none of them');
    expect(told[1]).toContain('there is at and cron');
    expect(told[2]).toContain('the shortest interval is 60 seconds');
    expect(told[3]).toContain('is empty');
  });

  it('are not served by a kernel that does not serve, and do not keep it alive (C29)', async () => {
    const { kernel, clock, turns } = await start();
    const process = await kernel.spawn();
    await process.timers.set({ text: 'Look.', in: 1 });
    await clock.advance(HOUR);
    expect([turns.results, clock.waiting]).toEqual([[], 0]);
  });
});

describe('serving', () => {
  it('takes a thousand timers that are due in one second, each once', async () => {
    const { kernel, clock, turns, recall } = await start();
    await kernel.serve();
    const processes = await Promise.all(Array.from({ length: 50 }, () => kernel.spawn()));
    for (const process of processes) {
      // Most only wait, for a thousand turns take longer than a test should.
      if (process !== processes[0]) await process.pause();
      for (let n = 0; n < 20; n++) await process.timers.set({ text: `Task ${n}.`, in: HOUR + n * 50 });
    }
    await clock.advance(HOUR + 1_000);
    await turns.reached(20);
    const { items } = await recall.scan('inbox', { limit: 10_000 });
    const taken = items.map(({ pid, value }) => `${pid} ${(value as { id: string }).id}`);
    taken.push(...turns.results.map(({ pid, interruptId }) => `${pid} ${interruptId}`));
    expect([taken.length, new Set(taken).size]).toEqual([1_000, 1_000]);
    expect((await recall.scan('timers', { limit: 10 })).items).toEqual([]);
  });

  it('by two kernels on one store takes each occurrence once', async () => {
    const store = shared();
    const clock = virtualClock(START);
    const kernels = await Promise.all(
      [0, 1].map(() => startKernel({ clock, recall: store, replies: heard })),
    );
    for (const { kernel } of kernels) open.push(kernel);
    const turns = turnsOf(...kernels.map(({ kernel }) => kernel));
    const [first] = kernels;
    if (!first) throw new Error('no kernel');
    const processes = await Promise.all(Array.from({ length: 20 }, () => first.kernel.spawn()));
    for (const process of processes) await process.timers.set({ id: 't', text: 'Look.', every: HOUR });
    await first.kernel.passivate();
    for (const { kernel } of kernels) await kernel.serve();
    for (let n = 1; n <= 3; n++) {
      await clock.advanceTo(START + n * HOUR + 6_000);
      await turns.reached(20 * n);
    }
    await clock.advance(HOUR / 2);
    expect(turns.results).toHaveLength(60);
    expect(new Set(turns.results.map(({ pid, interruptId }) => `${pid} ${interruptId}`)).size).toBe(60);
    expect(turns.results.filter(({ text }) => text.includes('stands for'))).toEqual([]);
  });

  it('takes what another kernel posts to a process that this one holds', async () => {
    const store = shared();
    const clock = virtualClock(START);
    const [a, b] = await Promise.all([0, 1].map(() => startKernel({ clock, recall: store, replies: heard })));
    if (!a || !b) throw new Error('no kernels');
    open.push(a.kernel, b.kernel);
    const turns = turnsOf(a.kernel);
    const { pid } = await a.kernel.spawn();
    await a.kernel.serve();
    await (await b.kernel.open(pid)).post({ kind: 'system', text: 'Hello.' });
    await clock.advance(5_000);
    await turns.reached(1);
    expect(turns.results[0]?.text).toContain('Hello.');
  });

  it('picks up what a kernel that was killed had claimed and not served', async () => {
    const store = createMemoryRecall();
    let isDead = false;
    const dying = faultyRecall((_, { appends }) => {
      // Dead from the claim on: no turn is begun.
      isDead ||= appends?.some(({ message }) => message.id.includes('@')) ?? false;
      return isDead ? 'fail-before' : 'pass';
    }, keptOpen(store));
    const first = await start({ recall: dying });
    const { timers } = await first.kernel.spawn();
    await first.kernel.serve();
    await timers.set({ id: 'once', text: 'Look.', in: HOUR });
    await first.clock.advance(HOUR);
    await first.clock.advance(0);
    expect(first.turns.results).toEqual([]);
    const second = await start({ recall: keptOpen(store) });
    await second.kernel.serve();
    await second.turns.reached(1);
    expect(second.turns.results[0]).toMatchObject({ interruptId: `once@${START + HOUR}` });
    await closeBoth(second.kernel, first.kernel);
  });

  it('goes on with a turn that a crash cut off', async () => {
    const store = createMemoryRecall();
    const first = await start({ recall: keptOpen(store), replies: [{ text: '', broken: 'hang' }] });
    const process = await first.kernel.spawn();
    const sent = process.send({ text: 'hello', id: 'x' });
    while ((await process.map()).pages.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = await start({ recall: keptOpen(store) });
    await second.kernel.serve();
    await second.turns.reached(1);
    expect(second.turns.results[0]).toMatchObject({ interruptId: 'x', text: 'heard: hello' });
    await closeBoth(second.kernel, first.kernel);
    await sent.catch(() => undefined);
  });

  it('tries again what failed, and says so', async () => {
    let failing = true;
    const base = createMemoryRecall();
    const recall: RecallDriver = {
      ...base,
      commit: async (commit) => {
        if (failing && commit.puts?.some(({ space }) => space === 'inbox')) throw new Error('disk full');
        await base.commit(commit);
      },
    };
    const { kernel, clock, turns } = await start({ recall });
    const failures: unknown[] = [];
    kernel.bus.on('serve-failed', ({ error }) => failures.push(error));
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ text: 'Look.', in: HOUR });
    await clock.advance(HOUR);
    expect(failures).toHaveLength(1);
    failing = false;
    await clock.advance(5_000);
    await turns.reached(1);
  });

  it('serves at once what was claimed though the store said that it failed (C11)', async () => {
    let failing = true;
    const recall = faultyRecall((_, { puts }) => {
      if (!failing || !puts?.some(({ space }) => space === 'inbox')) return 'pass';
      failing = false;
      return 'fail-after';
    });
    const { kernel, clock, turns } = await start({ recall });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ text: 'Look.', in: HOUR });
    await clock.advance(HOUR);
    await turns.reached(1);
    await clock.advance(HOUR);
    expect(turns.results).toHaveLength(1);
  });

  it('does not wait for a process that is at work, and leaves its place to others', async () => {
    const stuck = gate();
    const asked = gate();
    const { kernel, turns } = await start({
      limits: { backgroundTurns: 1 },
      replies: async (request, n) => {
        if (JSON.stringify(request.messages).includes('stuck')) {
          asked.open();
          await stuck.opened;
        }
        return heard(request, n);
      },
    });
    const [busy, other] = [await kernel.spawn(), await kernel.spawn()];
    const sent = busy.send('stuck');
    await asked.opened;
    await busy.post({ kind: 'system', text: 'later' });
    await other.post({ kind: 'system', text: 'now' });
    await turns.reached(1);
    expect(turns.results[0]?.pid).toBe(other.pid);
    stuck.open();
    await sent;
    await turns.reached(3);
  });

  it('tells times in the zone of the process', async () => {
    const { kernel, clock, turns } = await start();
    const process = await kernel.spawn({ zone: 'Asia/Tokyo' });
    await kernel.serve();
    const { dueAt } = await process.timers.set({ text: 'Rise.', cron: '0 7 * * *' });
    expect(new Date(dueAt).toISOString()).toBe('2026-03-28T22:00:00.000Z');
    await clock.advanceTo(dueAt);
    await turns.reached(1);
    expect(turns.results[0]?.text).toContain('was due on 2026-03-29T07:00+09:00');
  });

  it('one process leaves the others alone', async () => {
    const { kernel, clock, turns } = await start();
    const [mine, other] = [await kernel.spawn(), await kernel.spawn()];
    await other.timers.set({ text: 'Other.', in: 1_000 });
    await mine.timers.set({ text: 'Mine.', in: 2_000 });
    await kernel.serve({ only: mine.pid });
    await clock.advance(HOUR);
    await turns.reached(1);
    expect(turns.results.map(({ pid }) => pid)).toEqual([mine.pid]);
    expect(await other.timers.list()).toHaveLength(1);
  });

  it('ends with the kernel: nothing waits and nothing is begun any more (C27, C29)', async () => {
    const { kernel, clock, turns } = await start({ recall: shared() });
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ text: 'Look.', in: HOUR });
    await kernel.close();
    expect(clock.waiting).toBe(0);
    await clock.advance(2 * HOUR);
    expect(turns.results).toEqual([]);
    await expect(kernel.serve()).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });

  it('keeps the program alive until the kernel is closed (C29)', async () => {
    const { kernel } = await start();
    const timeouts = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timeouts();
    await kernel.serve();
    await kernel.serve();
    expect(timeouts()).toBe(before + 1);
    await kernel.close();
    expect(timeouts()).toBe(before);
  });

  it.each([
    // Attached when it was spawned, and again after the hour in which it was idle. Of what another kernel does this one
    // is told nothing: it loses what it has in memory, and attaches once more.
    { by: 'another kernel', attached: 3 },
    { by: 'this kernel', attached: 2 },
    { by: 'the model', attached: 2 },
  ])('passes over an occurrence that $by withdrew after it was read', async ({ by, attached }) => {
    const [store, stuck, asked] = [createMemoryRecall(), gate(), gate()];
    let leases = 0;
    const { kernel, clock, turns } = await start({
      recall: { ...keptOpen(store), acquireLease: (...args) => ((leases += 1), store.acquireLease(...args)) },
      replies: async (request, n) => {
        asked.open();
        await stuck.opened;
        const cancels = by === 'the model' && !hasResults(request) && n === 0;
        return cancels ? ask('cancel_timer', { timer: 'once' }) : heard(request, n);
      },
    });
    const failures: unknown[] = [];
    kernel.bus.on('serve-failed', ({ error }) => failures.push(error));
    const process = await kernel.spawn();
    await kernel.serve();
    await process.pause();
    await process.timers.set({ id: 'once', text: 'Look.', in: HOUR });
    await process.post({ kind: 'device', text: 'goes first' });
    await clock.advance(HOUR);
    while ((await store.load(process.pid, ['inbox'])).length < 2) await turnOfTheLoop();
    const resumed = process.resume();
    await asked.opened;
    const other = await start({ recall: keptOpen(store) });
    const canceller = by === 'this kernel' ? kernel : other.kernel;
    if (by !== 'the model') await (await canceller.open(process.pid)).timers.cancel('once');
    stuck.open();
    await resumed;
    expect((await process.send('still there?')).text).toBe('heard: still there?');
    expect(turns.results.map(({ text }) => text.includes('Look.'))).toEqual([false, false]);
    expect([failures, leases]).toEqual([[], attached]);
  });

  it('follows the clock on the wall when the clocks change', async () => {
    const { kernel, clock, turns } = await start();
    const process = await kernel.spawn();
    await kernel.serve();
    await process.timers.set({ id: 'n', text: 'Night.', cron: '30 2 * * *', zone: 'Europe/Berlin' });
    for (let n = 1; n <= 3; n++) {
      await clock.advance(24 * HOUR);
      await turns.reached(n);
    }
    const due = turns.results.map(({ interruptId }) => new Date(Number(interruptId.slice(2))).toISOString());
    // On the 29th there is no 2:30: the clock goes from 2 to 3, which is 1:00 in Greenwich.
    expect(due).toEqual(['2026-03-29T01:00:00.000Z', '2026-03-30T00:30:00.000Z', '2026-03-31T00:30:00.000Z']);
  });
});
