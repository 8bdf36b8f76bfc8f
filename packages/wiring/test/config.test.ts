import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitsSchema } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEFAULT_OPENAI_MODEL, loadConfig, redacted } from '../src/config/index.js';
import { moduleAddress } from '../src/config/source.js';

const openai = z.strictObject({
  model: z.string(),
  apiKey: z.string().optional(),
  baseURL: z.url().optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const registry = {
  recall: { memory: null, pglite: null, postgres: null },
  archival: { memory: null, pgvector: null, none: null },
  embedder: { local: null, none: null },
  processor: { reflex: null, openai, scripted: null },
  summariser: { recursive: null, extractive: null },
  policy: { fifo: null, lru: null },
  layout: { classic: null },
  dialect: { memgpt: null },
};

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'pagefault-config-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

type Env = Record<string, string>;

function write(content: unknown, name = 'pagefault.config.json'): void {
  writeFileSync(join(cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
}

const load = (env: Env = {}, file?: string) =>
  loadConfig({ cwd, env, registry, limits: limitsSchema, ...(file === undefined ? {} : { file }) });

async function loadFile(content: unknown, env: Env = {}) {
  write(content);
  return await load(env);
}

async function refusal(content: unknown, env: Env = {}): Promise<string> {
  const error: unknown = await loadFile(content, env).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'E_CONFIG' });
  return (error as Error).message;
}

describe('without a configuration file', () => {
  it('keeps memory in the embedded store and thinks without a model, and says why', async () => {
    expect(await load()).toEqual({
      recall: { driver: 'pglite', options: { dataDir: join(cwd, '.pagefault') } },
      archival: { driver: 'pgvector', options: {} },
      embedder: { driver: 'local', options: {} },
      processor: { driver: 'reflex', options: {} },
      summariser: 'recursive',
      policy: 'fifo',
      layout: 'classic',
      dialect: 'memgpt',
      window: 8192,
      limits: limitsSchema.parse({}),
      program: {},
      notes: ['processor: reflex, which follows rules and needs no model, because OPENAI_API_KEY is not set'],
    });
  });

  it('takes OpenAI when its key is in the environment, and says why without the key', async () => {
    const { processor, notes } = await load({
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    const options = { model: DEFAULT_OPENAI_MODEL, apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:9/v1' };
    expect(processor).toEqual({ driver: 'openai', options });
    expect(notes.join()).toMatch(/openai .* because OPENAI_API_KEY is set/);
    expect(notes.join()).not.toContain('sk-secret');
  });

  it('lets the environment choose the data directory and the window', async () => {
    const config = await load({ PAGEFAULT_DATA_DIR: 'data', PAGEFAULT_WINDOW: '4096' });
    expect(config.recall.options).toEqual({ dataDir: join(cwd, 'data') });
    expect(config.window).toBe(4096);
    await expect(load({ PAGEFAULT_WINDOW: '4k' })).rejects.toThrow(
      'PAGEFAULT_WINDOW is "4k"; it must be a whole number',
    );
  });
});

describe('a configuration file', () => {
  it('is found in the folder, or by argument, or by PAGEFAULT_CONFIG, in the order of rank', async () => {
    write({ window: 1000 });
    write({ window: 2000 }, 'other.json');
    write('export default { window: 1000 + 2000 };', 'third.mjs');
    expect((await load()).window).toBe(1000);
    expect((await load({ PAGEFAULT_CONFIG: 'other.json' })).window).toBe(2000);
    expect(await load({ PAGEFAULT_CONFIG: 'other.json' }, 'third.mjs')).toMatchObject({
      window: 3000,
      file: join(cwd, 'third.mjs'),
    });
  });

  it('that was asked for must be there', async () => {
    await expect(load({ PAGEFAULT_CONFIG: 'none.json' })).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: 'correct or unset PAGEFAULT_CONFIG',
    });
  });

  it('has paths that are relative to its own folder', async () => {
    mkdirSync(join(cwd, 'conf'));
    write({ recall: 'pglite://./store', record: 'tapes' }, 'conf/a.json');
    const config = await load({}, 'conf/a.json');
    expect(config.recall.options['dataDir']).toBe(join(cwd, 'conf/store'));
    expect(config.record).toBe(join(cwd, 'conf/tapes'));
  });

  it('takes names, addresses and objects for drivers', async () => {
    const config = await loadFile({
      recall: 'postgres://ada@db/pf',
      archival: { driver: 'memory', size: 3 },
      embedder: { driver: 'local' },
      processor: { driver: 'openai', model: 'm', baseURL: 'http://127.0.0.1:8080/v1' },
      program: { instructions: 'Be kind.', blocks: { human: { value: 'Ada', limit: 10 }, persona: {} } },
      limits: { keepExchanges: 5 },
    });
    expect(config.recall).toEqual({
      driver: 'postgres',
      options: { connectionString: 'postgres://ada@db/pf' },
    });
    expect(config.archival).toEqual({ driver: 'memory', options: { size: 3 } });
    expect(config.limits).toMatchObject({ keepExchanges: 5, flushShare: 1 });
    expect(config.program).toEqual({
      instructions: 'Be kind.',
      blocks: [
        { name: 'human', value: 'Ada', limit: 10 },
        { name: 'persona', value: '' },
      ],
    });
    expect(config.notes).toEqual([]);
  });

  it('lets archival follow recall and the embedder', async () => {
    expect((await loadFile({ recall: 'memory' })).archival.driver).toBe('memory');
    expect((await loadFile({ embedder: 'none' })).archival.driver).toBe('none');
  });

  it('never sends the key of the environment to a server that the file names', async () => {
    const processor = { driver: 'openai', model: 'm', baseURL: 'https://example.org/v1' };
    expect((await loadFile({ processor }, { OPENAI_API_KEY: 'sk-1' })).processor.options).not.toHaveProperty(
      'apiKey',
    );
    expect(
      (await loadFile({ processor: 'openai' }, { OPENAI_API_KEY: 'sk-1' })).processor.options['apiKey'],
    ).toBe('sk-1');
  });

  it('may be a module, whose address is a URL on every system (E10)', () => {
    expect(moduleAddress('C:\\x\\d.mjs', true)).toBe('file:///C:/x/d.mjs');
  });
});

describe('a mistake in the configuration', () => {
  it.each([
    ['a key that was mistyped (E01)', { polcy: 'lru' }, /json: polcy: unknown key; did you mean "policy"\?/],
    ['a key with two letters swapped (E01)', { wnidow: 1 }, /wnidow: unknown key; did you mean "window"/],
    [
      'a key nested too high (E01)',
      { keepExchanges: 3 },
      /keepExchanges: unknown key; did you mean "limits.keepExchanges"/,
    ],
    [
      'a key nested too deep (E01)',
      { limits: { window: 4096 } },
      /limits\.window: unknown key; did you mean "window"/,
    ],
    [
      'a block at the wrong place (E01)',
      { blocks: {} },
      /blocks: unknown key; did you mean "program.blocks"/,
    ],
    [
      'a limit that was mistyped (E01)',
      { limits: { flushShar: 1 } },
      /limits\.flushShar: .* "limits.flushShare"/,
    ],
    [
      'an option of a driver outside it (E01)',
      { model: 'x' },
      /model: unknown key; did you mean "processor.model"/,
    ],
    [
      'an option that the driver does not have (E01)',
      { processor: { driver: 'openai', modle: 'x', apiKey: 'k' } },
      /processor\.modle: unknown key; did you mean "processor.model"/,
    ],
    ['a key like nothing', { zebra: 1 }, /zebra: unknown key$/],
    ['a limit out of range', { limits: { flushShare: 2 } }, /limits\.flushShare: .*<=1/],
    ['a window that is too small', { window: 10 }, /window: .*>=512/],
    [
      'an unknown driver (E06)',
      { archival: 'pgvectr' },
      /archival: unknown name "pgvectr"; did you mean "pgvector"\?; known: memory, pgvector, none/,
    ],
    [
      'an unknown driver in an object (E06)',
      { recall: { driver: 'Qdrant' } },
      /recall\.driver: unknown name "Qdrant"; known: memory, pglite, postgres/,
    ],
    [
      'a name of every object (E06)',
      { policy: 'constructor' },
      /policy: unknown name "constructor"; known: fifo, lru/,
    ],
    ['an address of another database', { recall: 'mysql://a:b@c' }, /recall: unknown name "mysql:\/\/…"/],
    [
      'a choice that is neither name nor object',
      { processor: 3 },
      /processor: expected a name, or an object with "driver"/,
    ],
    [
      'vectors without a database',
      { recall: 'memory', archival: 'pgvector' },
      /archival: pgvector lives in the database of recall/,
    ],
    [
      'vectors without an embedder (E17)',
      { embedder: 'none', archival: 'memory' },
      /archival: "memory" needs an embedder/,
    ],
    [
      'OpenAI without a key',
      { processor: 'openai' },
      /processor\.apiKey: missing; set the environment variable OPENAI_API_KEY/,
    ],
    ['a list', '[]', /the configuration must be an object/],
  ])('is named: %s', async (_title, content, message) => {
    expect(await refusal(content)).toMatch(message);
  });

  it('does not hide another', async () => {
    expect(await refusal({ policy: 'lfu', limits: { flushShare: 0 } })).toMatch(
      /policy: .*; limits\.flushShare: /,
    );
  });

  it.each([
    ['{\n  "window": 1,\n}', 'line 3, column 1'],
    ['{\n  "a": [1,]\n}', 'line 2, column 11'],
    ['{ // x\n}', 'line 1, column 3'],
    ['{ "apiKey": "sk-secret" x', 'line 1, column 25'],
    ['{ "a": ', 'line 1, column 8'],
    ['', 'line 1, column 1'],
  ])('of JSON is placed, and its text is not shown: %j', async (content, place) => {
    write(content);
    const error: unknown = await load().catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining(`not JSON at ${place}`) as string,
    });
    expect(String((error as Error).cause)).not.toContain('sk-secret');
  });

  it('of a module is told with its path', async () => {
    write('export const x = 1;', 'a.mjs');
    write('export default {', 'b.mjs');
    await expect(load({}, 'a.mjs')).rejects.toThrow(/a\.mjs has no default export/);
    await expect(load({}, 'b.mjs')).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('b.mjs') as string,
    });
  });
});

describe('variables in the file', () => {
  it('are expanded in every string, with defaults that are parsed whole (E03, E04)', async () => {
    const config = await loadFile(
      {
        policy: '${POLICY:-lru}',
        window: '${WINDOW:-4096}',
        limits: { keepExchanges: '${KEEP}' },
        processor: {
          driver: 'openai',
          model: 'm-${KEEP}',
          baseURL: '${URL:-http://h:9200/v1}',
          headers: { a: '${KEY}' },
        },
        program: { instructions: 'Say $${name}.', blocks: { human: { value: '${EMPTY:-x}' } } },
      },
      { KEEP: '7', KEY: 'secret', EMPTY: '' },
    );
    expect(config).toMatchObject({ policy: 'lru', window: 4096, limits: { keepExchanges: 7 } });
    expect(config.processor.options).toEqual({
      model: 'm-7',
      baseURL: 'http://h:9200/v1',
      headers: { a: 'secret' },
    });
    expect(config.program).toEqual({ instructions: 'Say ${name}.', blocks: [{ name: 'human', value: 'x' }] });
  });

  it('that are not set, or empty, are named with their keys (E04)', async () => {
    const content = { processor: { driver: 'openai', apiKey: '${UNSET}', headers: { list: '${EMPTY}' } } };
    expect(await refusal(content, { EMPTY: '' })).toMatch(
      /processor\.apiKey: the environment variable UNSET is not set; .*; processor\.headers\.list: .* EMPTY is empty/,
    );
  });

  it('that are malformed are refused', async () => {
    expect(await refusal({ policy: '${1x}' })).toMatch(/policy: "\$\{" begins no variable/);
  });
});

describe('a configuration for people', () => {
  it('shows choices and no secrets (E12)', async () => {
    const config = await loadFile({
      recall: 'postgres://ada:s3cret@db/pf',
      processor: { driver: 'openai', apiKey: 'sk-secret', model: 'm', headers: { 'x-gate': 'opensesame' } },
    });
    const text = JSON.stringify(redacted(config));
    expect(text).not.toMatch(/s3cret|sk-secret|opensesame/);
    expect(text).toContain('"model":"m"');
    expect(text).toContain('db/pf');
  });
});
