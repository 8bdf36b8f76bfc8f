/** `npm run bench -- lab`: the policy lab. `PAGEFAULT_BENCH_SIZE=large` adds P3 and the grid on classic traces. */
import { loadavg } from 'node:os';
import { LITERATURE, type LiteratureName } from '../packages/lab/src/index.js';
import { measureApart } from '../packages/evals/bench/lab/apart.js';
import type { Measured } from '../packages/evals/bench/lab/measure.js';
import { classicAtHand, llmAtHand } from '../packages/evals/bench/lab/traces.js';
import { row } from './row.js';

/** Millions of requests a second: the floor, and the aim. */
const FLOORS: Readonly<Record<LiteratureName | 'min', readonly [number, number]>> = {
  lru: [5, 20],
  fifo: [5, 20],
  clock: [5, 20],
  sieve: [5, 20],
  mru: [5, 20],
  arc: [1, 5],
  '2q': [1, 5],
  's3-fifo': [1, 5],
  lirs: [1, 5],
  'w-tinylfu': [1, 5],
  random: [0.3, 1],
  lfu: [0.3, 1],
  min: [0.3, 1],
};
/** Thousands of steps a second. */
const STEPS_FLOOR = 300;
const STEPS_POLICIES = ['lru', 'arc', 'batch-prefix', 'need-density'] as const;

export async function benchLab(): Promise<void> {
  const isLarge = process.env['PAGEFAULT_BENCH_SIZE'] === 'large';
  const classic = classicAtHand(isLarge ? ['OLTP', 'sprite', 'P3'] : ['OLTP', 'sprite']);
  console.log(`\nthe policy lab, in seconds of the processor; load ${loadavg()[0]?.toFixed(1)}`);
  await benchDemand(classic);
  await benchPaging();
  await benchGrids(isLarge ? classic : []);
}

async function benchDemand(traces: ReturnType<typeof classicAtHand>): Promise<void> {
  if (traces.includes('Zipf'))
    console.log('no classic traces are at hand: a made one, Zipf, stands for them');
  console.log('\nmillions of requests a second, interned, without reading files');
  console.log(row('policy', 'trace', 'median', 'least', 'most', 'floor', 'aim'));
  const policies = [...(Object.keys(LITERATURE) as LiteratureName[]), 'min' as const];
  for (const policy of policies) {
    for (const trace of traces) {
      const [floor, aim] = FLOORS[policy];
      const speeds = speedsOf(await measureApart({ kind: 'demand', trace, policy }), 1e6);
      console.log(
        row(policy, trace, ...speeds.map((one) => one.toFixed(2)), ...verdict(speeds[0], floor), String(aim)),
      );
    }
  }
  for (const trace of traces) {
    const speeds = speedsOf(await measureApart({ kind: 'curve', trace }), 1e6);
    console.log(row('LRU curve', trace, ...speeds.map((one) => one.toFixed(2))));
  }
}

async function benchPaging(): Promise<void> {
  console.log('\nthousands of steps a second of a paged agent, prefix accounting included');
  console.log(row('policy', 'trace', 'median', 'least', 'most', 'floor'));
  for (const policy of STEPS_POLICIES) {
    for (const trace of ['made', ...llmAtHand()] as const) {
      const speeds = speedsOf(await measureApart({ kind: 'paging', trace, policy }), 1e3);
      const figures = speeds.map((one) => one.toFixed(0));
      console.log(row(policy, trace, ...figures, ...verdict(speeds[0], STEPS_FLOOR)));
    }
  }
}

async function benchGrids(classic: ReturnType<typeof classicAtHand>): Promise<void> {
  console.log('\nbounds of one budget, and whole grids of policies by 20 budgets: seconds');
  console.log(row('what', 'trace', 'rows', 'seconds'));
  for (const trace of llmAtHand()) {
    const { seconds } = await measureApart({ kind: 'bounds', trace });
    console.log(row('bounds', trace, '1', middle(seconds).toFixed(2)));
  }
  let all = 0;
  for (const trace of llmAtHand()) all += await grid('grid', trace, measureApart({ kind: 'grid', trace }));
  console.log(`all of them ${(all / 2).toFixed(0)} s on two cores; the aim is 60`);
  for (const trace of classic) await grid('classic', trace, measureApart({ kind: 'classic-grid', trace }));
  if (classic.length > 0) console.log('the aim of the classic ones together is 15 minutes');
}

async function grid(what: string, trace: string, measuring: Promise<Measured>): Promise<number> {
  const { seconds, work } = await measuring;
  console.log(row(what, trace, String(work), (seconds[0] ?? 0).toFixed(1)));
  return seconds[0] ?? 0;
}

/** The median, the least and the most. */
function speedsOf({ seconds, work }: Measured, unit: number): readonly [number, number, number] {
  const speed = (one: number) => work / one / unit;
  return [speed(middle(seconds)), speed(Math.max(...seconds)), speed(Math.min(...seconds))];
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function verdict(speed: number, floor: number): string[] {
  return [`${speed < floor ? 'BELOW ' : ''}${floor}`];
}
