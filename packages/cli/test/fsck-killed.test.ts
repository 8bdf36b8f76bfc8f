/** `fsck --repair` that is killed while it makes an index anew: the next one goes on, and nothing is lost or embedded twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type OpenAIDouble,
  type QdrantDouble,
  startOpenAIDouble,
  startQdrantDouble,
} from '@pagefault/doubles';
import { start } from '@pagefault/wiring';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createWorld, type World } from './support/world.js';

const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const MODELS = { narrow: 8, wide: 16 };
const BATCH = 4;
const TEXTS = Array.from({ length: 2 * BATCH + 5 }, (_, i) => `Alpaca ${i} is shorn in spring.`);

let world: World;
let folder: string;
let embedder: OpenAIDouble;
let qdrant: QdrantDouble;
/** Texts that were embedded; the request after which nothing is answered any more. */
let [embedded, silentFrom] = [0, Infinity];

beforeEach(async () => {
  [embedded, silentFrom] = [0, Infinity];
  world = createWorld({}, { start });
  folder = await mkdtemp(join(tmpdir(), 'pagefault-killed-'));
  const fault = (_: number, texts: readonly string[]) => {
    if (embedded >= silentFrom) return { kind: 'no-answer' } as const;
    embedded += texts.length;
    return undefined;
  };
  embedder = await startOpenAIDouble({ embeddings: { models: MODELS, fault } });
  qdrant = await startQdrantDouble();
});
afterEach(async () => {
  await world.close();
  await embedder.close();
  await qdrant.close();
  await rm(folder, { recursive: true, force: true });
});

const ARCHIVALS = {
  pgvector: () => 'pgvector',
  Qdrant: () => ({ driver: 'qdrant', url: qdrant.url }),
} as const;
type Archival = keyof typeof ARCHIVALS;

async function use(archival: Archival, model: keyof typeof MODELS): Promise<void> {
  const given = { driver: 'openai', baseURL: embedder.origin, apiKey: 'k', model, dimension: MODELS[model] };
  const stack = {
    recall: 'pglite://./store',
    archival: ARCHIVALS[archival](),
    processor: 'reflex',
    limits: { indexBatch: BATCH },
  };
  await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify({ ...stack, embedder: given }));
}

const fsck = (...args: readonly string[]) => world.run(['fsck', ...args], { cwd: folder });
const open = () => start({ cwd: folder, env: {} });

/** A store that was filled with the narrow embedder, configured for the wide one. */
async function changed(archival: Archival): Promise<void> {
  await use(archival, 'narrow');
  {
    await using machine = await open();
    const ada = await machine.kernel.spawn({ name: 'ada' });
    await ada.append(TEXTS.map((text) => ({ text })));
    await machine.kernel.settle();
  }
  await use(archival, 'wide');
  embedded = 0;
}

/** The real command, killed at a moment of its work. */
async function killed(moment: () => void): Promise<void> {
  // With the home of this process: the seed of the embedded store is made once and kept there.
  const child = spawn(process.execPath, ['--liftoff-only', MAIN, 'fsck', '--repair'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  await vi.waitFor(moment, { timeout: 120_000 });
  child.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

async function finds(text = ''): Promise<void> {
  await using machine = await open();
  const ada = await machine.kernel.find('ada');
  const found = await ada?.search({ collection: 'messages', query: text });
  expect(found?.hits[0]?.text).toBe(text);
}

/** While the second batch is on its way. */
async function killedHalfWay(archival: Archival): Promise<void> {
  await changed(archival);
  silentFrom = BATCH;
  await killed(() => {
    const input = expect.arrayContaining([TEXTS[BATCH]]) as string[];
    expect(embedder.requests.at(-1)?.body).toMatchObject({ model: 'wide', input });
  });
  silentFrom = Infinity;
}

it('a rebuild that is killed while it is filled leaves the old index in its place, and is gone on with (B23, B24)', async () => {
  await killedHalfWay('pgvector');
  await expect(open()).rejects.toMatchObject({ code: 'E_DIMENSION' });
  const repaired = await fsck('--repair');
  expect(repaired.stdout).toContain('made anew; the old one, of 8 numbers a vector, is removed');
  expect(repaired.code).toBe(0);
  // The last text that is known to be done may be done again.
  expect(embedded - TEXTS.length).toBeLessThanOrEqual(1);
  for (const text of [TEXTS[0], TEXTS.at(-1)]) await finds(text);
});

it('a rebuild that is killed and given up is gone without a trace when the former embedder is back', async () => {
  await killedHalfWay('Qdrant');
  expect([...qdrant.state.keys()]).toEqual(['pagefault', 'pagefault.of-16']);
  await use('Qdrant', 'narrow');
  expect((await fsck('--repair')).code).toBe(0);
  expect([...qdrant.state.keys()]).toEqual(['pagefault']);
  await finds(TEXTS[3]);
});

it('a rebuild on Qdrant that is killed before the new collection has its name gets it from the next who opens', async () => {
  await changed('Qdrant');
  qdrant.fail({ kind: 'silence', on: /^POST .*aliases$/ });
  await killed(() => expect(qdrant.requests.at(-1)?.path).toBe('/collections/aliases'));
  expect([...qdrant.state.keys()]).toEqual(['pagefault.of-16']);
  expect((await fsck()).code).toBe(0);
  expect(embedded).toBe(TEXTS.length);
  await finds(TEXTS[0]);
});
