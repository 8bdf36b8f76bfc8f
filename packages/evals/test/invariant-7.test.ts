/**
 * Invariant 7: stacks with different drivers, given the same script, end with the same blocks, passages and messages; and
 * step by step they show the same. `npm run soak` takes 500 steps, `npm test` fewer; PAGEFAULT_SEED draws another script.
 */
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { boot, extractive, type Kernel, type Process } from '@pagefault/kernel';
import type { LogEntry } from '@pagefault/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from './support/folder.js';
import { createGate, gated } from './support/gate.js';
import { createChance } from './support/random.js';
import { perform, scriptOf, type Step, type World } from './support/script.js';
import {
  inMemory,
  onPglite,
  onPgliteWithQdrant,
  onServerWithQdrant,
  openEmbedder,
  type Servers,
  type Stack,
  startServers,
} from './support/stacks.js';
import { wholeLog } from './support/store.js';

const STEPS = Number(process.env['PAGEFAULT_STEPS'] ?? 60);
const SEED = Number(process.env['PAGEFAULT_SEED'] ?? 7);
const LIMIT = Math.max(180_000, STEPS * 2_000);

const script = scriptOf(createChance(SEED), STEPS);
const folder = temporaryFolder();
let embedder: Awaited<ReturnType<typeof openEmbedder>>;
let servers: Servers;
let reference: Life;

interface Life {
  readonly shown: readonly { readonly step: Step; readonly result: unknown }[];
  readonly end: readonly unknown[];
}

async function live(stack: Stack): Promise<Life> {
  let [starts, minted, instant] = [0, 0, Date.UTC(2026, 0, 1)];
  const { dimension } = embedder.supports;
  const gate = createGate();
  const start = async (): Promise<Kernel> => {
    const disks = stack.disks(dimension);
    const kernel = await boot({
      ...disks,
      archival: gated(disks.archival, gate),
      embedder,
      processor: createReflexProcessor(),
      summariser: extractive,
      window: 6_000,
      mintId: () => `00000000-0000-7000-8000-${String((minted += 1)).padStart(12, '0')}`,
      // It stands still within a step, so that it does not matter how often it is looked at.
      clock: { now: () => instant, at: () => () => undefined },
    });
    // A kernel on a store that may be shared mints a name for itself, too.
    minted = (starts += 1) * 1_000_000;
    return kernel;
  };
  const kernel = await start();
  const world: World = {
    gate,
    kernel,
    processes: [await kernel.spawn({ name: 'p' })],
    async restart() {
      await world.kernel.close();
      return start();
    },
  };
  const shown = [];
  for (const step of script) {
    instant += 60_000;
    shown.push({ step, result: await perform(world, step) });
  }
  const { recall, resources = [] } = stack.disks(dimension);
  const ends = [];
  for (const process of world.processes) ends.push(await endOf(process));
  await world.kernel.close();
  for (const part of [...resources, recall]) await part.open();
  const logs: LogEntry[][] = [];
  for (const { pid } of world.processes) logs.push(await wholeLog(recall, pid));
  for (const part of [recall, ...resources]) await part.close();
  return { shown, end: ends.map((end, i) => ({ ...end, log: logs[i] })) };
}

/** What a process holds: also what no search asked for. */
async function endOf(process: Process) {
  const { blocks, pages, summary, messages, passages, counters } = await process.map();
  const all = await process.search({ collection: 'passages', size: 1_000 });
  const [timers, documents] = [await process.timers.list(), await process.documents()];
  return { blocks, pages, summary, messages, passages, counters, all, timers, documents };
}

function expectSame(life: Life): void {
  // Step by step: the first difference says more than the last state.
  for (const [i, each] of life.shown.entries()) expect({ i, ...each }).toEqual({ i, ...reference.shown[i] });
  expect(life.end).toEqual(reference.end);
}

describe(`a script of ${STEPS} steps of seed ${SEED} (PAGEFAULT_STEPS and PAGEFAULT_SEED set others; invariant 7)`, () => {
  beforeAll(async () => {
    [embedder, servers] = [await openEmbedder(), await startServers()];
    reference = await live(inMemory());
  }, LIMIT);

  afterAll(async () => {
    await embedder.end();
    await servers.close();
  });

  it('takes steps of every kind, flushes, and is refused now and then', () => {
    const kinds = new Set(script.map((step) => step.do));
    if (STEPS >= 60) expect(kinds.size).toBeGreaterThanOrEqual(12);
    expect(JSON.stringify(reference.end)).toMatch(/"flushes":[1-9]/);
    expect(JSON.stringify(reference.shown)).not.toContain('"failed"');
  });

  it(
    'ends the same, and shows the same at each step, on PGlite with pgvector',
    async () => {
      expectSame(await live(onPglite(folder)));
    },
    LIMIT,
  );

  it(
    'ends the same, and shows the same at each step, on PGlite with Qdrant',
    async () => {
      expectSame(await live(onPgliteWithQdrant(folder, servers.qdrant)));
    },
    LIMIT,
  );

  it(
    'ends the same, and shows the same at each step, on PostgreSQL with Qdrant',
    async ({ skip }) => {
      if (servers.postgres === undefined)
        return skip('no PostgreSQL is installed, and PAGEFAULT_PG_URL is not set');
      expectSame(await live(onServerWithQdrant(servers.postgres, servers.qdrant)));
    },
    LIMIT,
  );
});
