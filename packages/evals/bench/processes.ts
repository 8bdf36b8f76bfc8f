/**
 * Many processes on one machine: what an idle one costs, and how long one takes to wake. The store is the embedded one, so
 * that memory is the kernel's and not the store's.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RecallDriver } from '@pagefault/contracts';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { boot, type Clock, type Kernel, systemClock } from '@pagefault/kernel';
import { quantile, withStore } from './kernel.js';

const ACTIVE = 50;
const WATCHED_MS = 5_000;

export interface ProcessCosts {
  readonly processes: number;
  /** Bytes of the JavaScript heap for each process that was spawned and passivated. */
  readonly idleBytes: number;
  /** The same for one that is attached, with an empty queue. */
  readonly attachedBytes: number;
  /** Calls of the store in a second in which nothing happens, with the scheduler at work. */
  readonly idleQueries: number;
  /** Milliseconds from `send` to its answer: of an attached process, and of one that must be loaded first. */
  readonly warm: number;
  readonly wake: number;
  readonly wakeP95: number;
}

const TIMERS = 1_000;

export interface TimerCosts {
  readonly timers: number;
  /** How many turns they began: each timer is its own process's. */
  readonly taken: number;
  /** Milliseconds from the instant at which the last fell due until the last turn had ended. */
  readonly lag: number;
}

/** A thousand timers of a hundred processes, all due within one second. */
export function measureTimers(): Promise<TimerCosts> {
  return withStore('embedded', async (store) => {
    // The clock goes on to just before the first is due once all are set.
    let ahead = 0;
    const clock: Clock = {
      now: () => Date.now() + ahead,
      at: (instant, run) => systemClock.at(instant - ahead, run),
    };
    await using kernel = await boot({ ...store, processor: answering(), clock });
    const processes = await Promise.all(Array.from({ length: 100 }, () => kernel.spawn()));
    const first = Date.now() + 3_600_000;
    for (let n = 0; n < TIMERS; n++)
      await processes[n % processes.length]?.timers.set({ at: first + n, text: `timer ${n}` });
    let taken = 0;
    const all = new Promise<void>((resolve) => {
      kernel.bus.on('turn-result', () => ((taken += 1) === TIMERS ? resolve() : undefined));
    });
    ahead = first - Date.now() - 100;
    await kernel.serve();
    await all;
    return { timers: TIMERS, taken, lag: clock.now() - (first + TIMERS) };
  });
}

function answering() {
  const replies = () => ({ calls: [{ name: 'send_message', arguments: { message: 'Yes.' } }] });
  return createScriptedProcessor({ window: 8_192, maxOutput: 512, replies });
}

export function measureProcesses(processes: number): Promise<ProcessCosts> {
  return withStore('embedded', async (store) => {
    const counted = countCalls(store.recall);
    await using kernel = await boot({ ...store, recall: counted.recall, processor: answering() });
    const pids = await spawnAll(kernel, 100);
    await kernel.passivate();
    const empty = heap();
    pids.push(...(await spawnAll(kernel, processes - 100)));
    await kernel.passivate();
    const full = heap();
    const active = pids.slice(0, ACTIVE);
    const wake = await timeSends(kernel, active);
    const attached = heap();
    const warm = await timeSends(kernel, active);
    await kernel.passivate();
    const idleQueries = await queriesWhileIdle(kernel, counted.calls);
    return {
      processes,
      idleBytes: Math.max(0, full - empty) / (processes - 100),
      attachedBytes: Math.max(0, attached - full) / ACTIVE,
      idleQueries,
      warm: quantile(warm, 0.5),
      wake: quantile(wake, 0.5),
      wakeP95: quantile(wake, 0.95),
    };
  });
}

async function spawnAll(kernel: Kernel, count: number): Promise<string[]> {
  const pids: string[] = [];
  for (let n = 0; n < count; n++) pids.push((await kernel.spawn({ name: `agent ${n}` })).pid);
  return pids;
}

async function timeSends(kernel: Kernel, pids: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (const pid of pids) {
    const start = performance.now();
    await (await kernel.open(pid)).send('Are you there?');
    times.push(performance.now() - start);
  }
  return times;
}

async function queriesWhileIdle(kernel: Kernel, calls: () => number): Promise<number> {
  await kernel.serve();
  await kernel.settle();
  const before = calls();
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
  return ((calls() - before) * 1_000) / WATCHED_MS;
}

function countCalls(base: RecallDriver): { readonly recall: RecallDriver; calls(): number } {
  let calls = 0;
  const recall = new Proxy(base, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => ((calls += 1), Reflect.apply(value, target, args) as unknown);
    },
  });
  return { recall, calls: () => calls };
}

/** Bytes in use after everything that can be collected was. */
function heap(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let n = 0; n < 3; n++) collect();
  return process.memoryUsage().heapUsed;
}
