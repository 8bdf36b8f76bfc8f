/**
 * What the kernel itself costs, in milliseconds a step: a step is one cycle of a processor that answers at once, with the
 * commits, counts and layout around it. Medians, because machines are noisy; ratios are what to compare between runs.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProcessorDriver, RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createPgliteSql } from '@pagefault/driver-pglite';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { createPostgresRecall } from '@pagefault/driver-recall-postgres';
import { boot, type Process, type Resource } from '@pagefault/kernel';

const TURNS = 200;
const WARM_UP = 20;
const BATCH = 1_000;
const FORKS = 20;

interface Store {
  readonly recall: RecallDriver;
  readonly resources: readonly Resource[];
}

export interface StepCost {
  readonly store: string;
  readonly messages: number;
  readonly median: number;
  readonly p95: number;
  /** Milliseconds a message while the history was fed. */
  readonly feed: number;
  /** Milliseconds to fork the process; median. */
  readonly fork: number;
}

export async function measureSteps(sizes: readonly number[]): Promise<StepCost[]> {
  const costs: StepCost[] = [];
  for (const store of ['memory', 'embedded'] as const) {
    for (const size of sizes) costs.push(await withStore(store, (stack) => measure(store, stack, size)));
  }
  return costs;
}

export interface WindowCost {
  readonly window: number;
  /** Pages in the queue while it was measured. */
  readonly pages: number;
  /** Parts of the request that were counted anew in a step: what is new, not what is there. */
  readonly counted: number;
  readonly median: number;
}

/** The cost of counting and layout as the queue grows: everything in memory, the queue filled to the flush. */
export async function measureWindows(windows: readonly number[]): Promise<WindowCost[]> {
  const costs: WindowCost[] = [];
  for (const window of windows) costs.push(await measureWindow(window));
  return costs;
}

async function measureWindow(window: number): Promise<WindowCost> {
  const driver = answering(window);
  let counted = 0;
  const count: ProcessorDriver['count'] = (pieces, signal) => {
    counted += pieces.length;
    return driver.count(pieces, signal);
  };
  await using kernel = await boot({ recall: createMemoryRecall(), processor: { ...driver, count } });
  const process = await kernel.spawn({ name: 'bench' });
  // A sentence of the bench is about forty tokens: enough of them to fill the window once.
  await fill(process, Math.floor(window / 40));
  counted = 0;
  const times = await timeTurns(process);
  const { pages } = await process.map();
  return { window, pages: pages.length, counted: counted / (WARM_UP + TURNS), median: quantile(times, 0.5) };
}

function answering(window: number) {
  return createScriptedProcessor({
    window,
    maxOutput: 512,
    replies: (_, n) => ({ calls: [{ name: 'send_message', arguments: { message: `Answer number ${n}.` } }] }),
  });
}

export async function withStore<T>(
  name: 'memory' | 'embedded',
  work: (store: Store) => Promise<T>,
): Promise<T> {
  if (name === 'memory') return work({ recall: createMemoryRecall(), resources: [] });
  const folder = await mkdtemp(join(tmpdir(), 'pagefault-bench-'));
  const sql = createPgliteSql({ dataDir: join(folder, 'store') });
  const resource = {
    name: 'pglite',
    open: (signal?: AbortSignal) => sql.open(signal),
    close: () => sql.close(),
  };
  try {
    return await work({ recall: createPostgresRecall({ sql }), resources: [resource] });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(name: string, store: Store, size: number): Promise<StepCost> {
  const processor = answering(8_192);
  const kernel = await boot({ ...store, processor });
  const process = await kernel.spawn({ name: 'bench' });
  const feed = await fill(process, size);
  const times = await timeTurns(process);
  const fork = quantile(await timeForks(process), 0.5);
  await kernel.close();
  return {
    store: name,
    messages: size,
    median: quantile(times, 0.5),
    p95: quantile(times, 0.95),
    feed,
    fork,
  };
}

async function timeForks(process: Process): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < FORKS; n++) {
    const start = performance.now();
    await process.fork({ name: `fork ${n}` });
    times.push(performance.now() - start);
  }
  return times;
}

async function fill(process: Process, size: number): Promise<number> {
  const start = performance.now();
  for (let from = 0; from < size; from += BATCH) {
    const count = Math.min(BATCH, size - from);
    await process.append(
      Array.from({ length: count }, (_, i) => ({ id: `fed-${from + i}`, text: sentence(from + i) })),
    );
  }
  return (performance.now() - start) / Math.max(1, size);
}

/** Words of a small vocabulary, so that postings are as dense as in real talk. */
function sentence(n: number): string {
  const words = [
    'alpaca',
    'Cork',
    'barn',
    'winter',
    'vet',
    'wool',
    'market',
    'neighbour',
    'fence',
    'lorry',
    'rain',
    'hay',
  ];
  return (
    Array.from({ length: 24 }, (_, i) => words[(n * 7 + i * i) % words.length]).join(' ') + ` number ${n}.`
  );
}

async function timeTurns(process: Process): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < WARM_UP + TURNS; turn++) {
    const start = performance.now();
    const { cycles } = await process.send(`Question number ${turn} about the alpacas.`);
    if (turn >= WARM_UP) times.push((performance.now() - start) / cycles);
  }
  return times;
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
