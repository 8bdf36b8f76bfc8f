/** One measurement in a process of its own, so that none finds code that another one has made slow, or its garbage. */
import { POLICIES, type PolicyName } from '@pagefault/kernel';
import {
  LITERATURE,
  type LiteratureName,
  lowerBounds,
  lruCurve,
  runGrid,
  simulateDemand,
  simulateMin,
  simulatePaging,
  tokensOf,
} from '@pagefault/lab';
import { CLASSIC, type ClassicName, classicRequests, type LlmName, llmTrace } from './traces.js';

export type Task =
  | { readonly kind: 'demand'; readonly trace: ClassicName; readonly policy: LiteratureName | 'min' }
  | { readonly kind: 'curve'; readonly trace: ClassicName }
  | { readonly kind: 'paging'; readonly trace: LlmName | 'made'; readonly policy: PolicyName }
  | { readonly kind: 'bounds'; readonly trace: LlmName }
  | { readonly kind: 'grid'; readonly trace: LlmName }
  | { readonly kind: 'classic-grid'; readonly trace: ClassicName };

/** Seconds of the processor a run, and what was done in one: requests, steps or rows. */
export interface Measured {
  readonly seconds: readonly number[];
  readonly work: number;
}

const RUNS = 5;
/** A run is made of as many repetitions as take this long, for a clock of the processor is coarse. */
const LEAST_SECONDS = 0.2;
/** A run of a short trace is over before its code is compiled: that takes a second of such runs. */
const WARMING_SECONDS = 1;
/** The second run throws away what was compiled in the first for the one policy that there was; from the third on it stays. */
const WARMING_RUNS = 3;
const BUDGETS = 20;
const RATIOS = { read: 0.05, written: 1.25, output: 5 };

export async function measure(task: Task): Promise<Measured> {
  switch (task.kind) {
    case 'demand': {
      const requests = await classicRequests(task.trace);
      const { frames } = CLASSIC[task.trace];
      const run = () =>
        task.policy === 'min'
          ? simulateMin(requests, frames)
          : simulateDemand(LITERATURE[task.policy](), requests, frames);
      return several(run, requests.pages.length);
    }
    case 'curve': {
      const requests = await classicRequests(task.trace);
      return several(() => lruCurve(requests), requests.pages.length);
    }
    case 'paging': {
      const trace = await llmTrace(task.trace);
      const budget = task.trace === 'made' ? 50_000 : tokensOf(trace, { share: 0.25 });
      return several(() => simulatePaging(trace, POLICIES[task.policy], { budget }), trace.times.length);
    }
    case 'bounds': {
      const trace = await llmTrace(task.trace);
      const budget = tokensOf(trace, { share: 0.1 });
      return several(() => lowerBounds(trace, { budget }, RATIOS), 1);
    }
    case 'grid':
      return wholeGrid(task.trace);
    case 'classic-grid': {
      const requests = await classicRequests(task.trace);
      return once(() => classicGrid(requests));
    }
  }
}

async function wholeGrid(name: LlmName): Promise<Measured> {
  const trace = await llmTrace(name);
  const budgets = Array.from({ length: BUDGETS }, (_, n) => ({ share: (n + 1) / BUDGETS }));
  return once(() => [...runGrid(trace, { policies: Object.values(POLICIES), budgets })].length);
}

function classicGrid(requests: Awaited<ReturnType<typeof classicRequests>>): number {
  let rows = 0;
  for (let n = 1; n <= BUDGETS; n++) {
    const frames = Math.max(4, Math.round((requests.distinct * n) / BUDGETS));
    for (const make of Object.values(LITERATURE)) simulateDemand(make(), requests, frames);
    simulateMin(requests, frames);
    rows += Object.keys(LITERATURE).length + 1;
  }
  return rows;
}

/** What is measured is the processor's time: nothing waits here, so another program's share is only noise. */
function several(run: () => unknown, work: number): Measured {
  const warm = timesIn(WARMING_SECONDS, run);
  for (let n = warm; n < WARMING_RUNS; n++) run();
  const times = timesIn(LEAST_SECONDS, run);
  const seconds = Array.from({ length: RUNS }, () => {
    const all = spent(() => {
      for (let n = 0; n < times; n++) run();
    });
    return all / times;
  });
  return { seconds, work };
}

function timesIn(leastSeconds: number, run: () => unknown): number {
  let [times, seconds] = [0, 0];
  for (; seconds < leastSeconds; times++) seconds += spent(run);
  return times;
}

function once(run: () => number): Measured {
  let work = 0;
  const seconds = spent(() => (work = run()));
  return { seconds: [seconds], work };
}

function spent(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}
