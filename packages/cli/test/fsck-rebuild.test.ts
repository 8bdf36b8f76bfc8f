/** An embedder with vectors of another length: the index is made anew, on a real store. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenAIDouble, startOpenAIDouble } from '@pagefault/doubles';
import { start } from '@pagefault/wiring';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

const MODELS = { narrow: 8, wide: 16 };
const TEXTS = ['My number is 4711.', 'Alpacas are shorn in spring.', 'Cork is in the south.'];

let [world, folder, embedded]: [World, string, number] = [createWorld(), '', 0];
let double: OpenAIDouble;
/** Batches after which the embedder fails. */
let failsAfter = Infinity;

beforeEach(async () => {
  [failsAfter, embedded] = [Infinity, 0];
  world = createWorld({}, { start });
  folder = await mkdtemp(join(tmpdir(), 'pagefault-rebuild-'));
  const fault = (_: number, texts: readonly string[]) => {
    if ((embedded += texts.length) <= failsAfter) return undefined;
    return { kind: 'status', status: 400 } as const;
  };
  double = await startOpenAIDouble({ embeddings: { models: MODELS, fault } });
});
afterEach(async () => {
  await world.close();
  await double.close();
  await rm(folder, { recursive: true, force: true });
});

async function use(model: keyof typeof MODELS): Promise<void> {
  const embedder = { driver: 'openai', baseURL: double.origin, apiKey: 'k', model, dimension: MODELS[model] };
  const config = { recall: 'pglite://./store', archival: 'pgvector', processor: 'reflex', embedder };
  await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify(config));
}

const fsck = (...args: readonly string[]) => world.run(['fsck', ...args], { cwd: folder });
const open = () => start({ cwd: folder, env: {} });

it('is refused, planned without a trace, made beside the old index, gone on with, and then takes its place (B23, B24)', async () => {
  await use('narrow');
  {
    await using machine = await open();
    const ada = await machine.kernel.spawn({ name: 'ada' });
    await ada.append(TEXTS.map((text) => ({ text })));
    await machine.kernel.settle();
  }
  await use('wide');
  await expect(open()).rejects.toMatchObject({
    code: 'E_DIMENSION',
    message: expect.stringMatching(/8 numbers.* 16/) as string,
    hint: expect.stringContaining('pagefault fsck --repair') as string,
  });

  embedded = 0;
  const planned = await fsck();
  expect(planned.stdout).toMatch(/8 numbers.* 16\n.*fsck --repair.* 3 texts/);
  expect(planned.code).toBe(1);
  expect(embedded).toBe(0);

  failsAfter = 0;
  const stopped = await fsck('--repair');
  expect(stopped.stdout).toContain('the old one, of 8 numbers a vector, is kept; run this again');
  expect(stopped.code).toBe(1);

  [failsAfter, embedded] = [Infinity, 0];
  const repaired = await fsck('--repair');
  expect(repaired.stdout).toContain(
    'the index was made anew; the old one, of 8 numbers a vector, is removed',
  );
  expect(repaired.code).toBe(0);
  expect(embedded).toBe(TEXTS.length);
  {
    await using machine = await open();
    const ada = await machine.kernel.find('ada');
    const found = await ada?.search({ collection: 'messages', query: 'Alpacas are shorn in spring.' });
    expect(found?.hits[0]?.text).toBe(TEXTS[1]);
  }
});

it('given up, leaves the old index as it was, and nothing of the new one', async () => {
  await use('narrow');
  {
    await using machine = await open();
    await (await machine.kernel.spawn({ name: 'ada' })).append(TEXTS.map((text) => ({ text })));
    await machine.kernel.settle();
  }
  await use('wide');
  failsAfter = 0;
  expect((await fsck('--repair')).code).toBe(1);
  await use('narrow');
  failsAfter = Infinity;
  expect((await fsck()).stdout).toMatch(/^1 process, 3 texts: the index is what recall says/);
  await use('wide');
  const { processes, problem } = JSON.parse((await fsck('--json')).stdout) as Record<string, unknown>;
  // What the outbox held for the new index went into the old one meanwhile: it is missing, not merely not begun.
  expect(processes).toMatchObject([{ texts: 3, missing: 3 }]);
  expect(problem).toMatchObject({ code: 'E_DIMENSION' });
});
