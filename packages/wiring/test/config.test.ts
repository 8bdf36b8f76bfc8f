import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { limitsSchema } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadConfig, PROVIDERS, redacted } from '../src/config/index.js';
import { moduleAddress } from '../src/config/source.js';

const openai = z.strictObject({
  model: z.string(),
  apiKey: z.string().optional(),
  baseURL: z.url({ error: 'expected an http or https address' }).optional(),
  headers: z.record(z.string(), z.string()).optional(),
});

const registry = {
  recall: { memory: null, pglite: null, postgres: null },
  archival: { memory: null, pgvector: null, none: null },
  embedder: { local: null, openai: null, none: null },
  processor: { reflex: null, openai, anthropic: null, scripted: null },
  summariser: { recursive: null, extractive: null },
  policy: { fifo: null, lru: null },
  layout: { stable: null, classic: null },
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

describe("the user's time zone", () => {
  it('is taken by its IANA name, and anything else is refused with an example', async () => {
    expect(await loadFile({ zone: 'America/Bogota' })).toMatchObject({ zone: 'America/Bogota' });
    expect(await refusal({ zone: 'UTC-5' })).toContain(
      'zone: "UTC-5" is not allowed; it must be an IANA time zone such as Europe/Berlin',
    );
  });
});

describe('without a configuration file', () => {
  it('keeps memory in the embedded store and thinks without a model, and says why', async () => {
    expect(await load()).toEqual({
      recall: { driver: 'pglite', options: { dataDir: join(cwd, '.pagefault') } },
      archival: { driver: 'pgvector', options: {} },
      embedder: { driver: 'local', options: {} },
      processor: { driver: 'reflex', options: {} },
      summariser: 'recursive',
      policy: 'fifo',
      layout: 'stable',
      dialect: 'memgpt',
      zone: 'UTC',
      window: 8192,
      limits: limitsSchema.parse({}),
      program: {},
      notes: [
        'processor: reflex, which follows rules and needs no model, because neither OPENAI_API_KEY nor ANTHROPIC_API_KEY is set',
      ],
    });
  });

  it('takes OpenAI when its key is in the environment, and says why without the key', async () => {
    const { processor, notes } = await load({
      OPENAI_API_KEY: 'sk-secret',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    const options = { model: PROVIDERS.openai.model, apiKey: 'sk-secret', baseURL: 'http://127.0.0.1:9/v1' };
    expect(processor).toEqual({ driver: 'openai', options });
    expect(notes.join()).toMatch(/openai .* because OPENAI_API_KEY is set/);
    expect(notes.join()).not.toContain('sk-secret');
  });

  it('takes Anthropic when only its key is in the environment', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-ant-secret', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const { processor, notes } = await load(env);
    const options = {
      model: PROVIDERS.anthropic.model,
      apiKey: 'sk-ant-secret',
      baseURL: 'http://127.0.0.1:9',
    };
    expect(processor).toEqual({ driver: 'anthropic', options });
    expect(notes.join()).toMatch(/anthropic .* because ANTHROPIC_API_KEY is set/);
    expect(notes.join()).not.toContain('secret');
    expect((await load({ ...env, OPENAI_API_KEY: 'sk-1' })).processor.driver).toBe('openai');
  });

  it('lets the environment choose the data directory and the window', async () => {
    const config = await load({ PAGEFAULT_DATA_DIR: 'data', PAGEFAULT_WINDOW: '4096' });
    expect(config.recall.options).toEqual({ dataDir: join(cwd, 'data') });
    expect(config.window).toBe(4096);
  });
});

describe('a variable of white space only', () => {
  const blank = ' \t\n';

  it('chooses nothing', async () => {
    const names = [
      'OPENAI_API_KEY',
      'OPENAI_BASE_URL',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_BASE_URL',
      'PAGEFAULT_DATA_DIR',
      'PAGEFAULT_WINDOW',
      'PAGEFAULT_CONFIG',
    ];
    expect(await load(Object.fromEntries(names.map((name) => [name, blank])))).toEqual(await load());
  });

  it('is no key for the processor that the file chooses, by name or in so many words', async () => {
    expect(await refusal({ processor: 'openai' }, { OPENAI_API_KEY: blank })).toMatch(
      /processor\.apiKey: missing/,
    );
    const processor = { driver: 'openai', model: 'm', apiKey: '${OPENAI_API_KEY}' };
    expect(await refusal({ processor }, { OPENAI_API_KEY: blank })).toMatch(/processor\.apiKey: missing/);
  });

  it('is taken off the ends of a key, an address and a number', async () => {
    const env = { OPENAI_API_KEY: 'sk-1\n', OPENAI_BASE_URL: ' http://h/v1 ', PAGEFAULT_WINDOW: '4096\n' };
    const { processor, window } = await load(env);
    expect(processor.options).toMatchObject({ apiKey: 'sk-1', baseURL: 'http://h/v1' });
    expect(window).toBe(4096);
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

  it('gives embeddings the key and the server of the environment, as the processor', async () => {
    const env = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: 'http://h/v1' };
    const options = { apiKey: 'sk-1', baseURL: 'http://h/v1' };
    expect((await loadFile({ embedder: 'openai' }, env)).embedder).toEqual({ driver: 'openai', options });
    const embedder = { driver: 'openai', model: 'm', dimension: 3, baseURL: 'https://example.org/v1' };
    expect((await loadFile({ embedder }, env)).embedder.options).not.toHaveProperty('apiKey');
  });

  it.each([
    ['./models/mini', 'sub/models/mini'],
    ['../mini', 'mini'],
    ['/srv/mini', '/srv/mini'],
  ])("takes an embedder's model %s from the folder of the file", async (model, place) => {
    mkdirSync(join(cwd, 'sub'));
    write({ embedder: { driver: 'local', model } }, 'sub/pagefault.config.json');
    const { embedder } = await load({}, 'sub/pagefault.config.json');
    expect(embedder).toEqual({ driver: 'local', options: { model: resolve(cwd, place) } });
  });

  it('leaves hub ids and models of servers as they are', async () => {
    for (const driver of ['local', 'openai']) {
      const { embedder } = await loadFile({
        embedder: { driver, model: 'Xenova/mini', baseURL: 'http://h' },
      });
      expect(embedder.options['model']).toBe('Xenova/mini');
    }
  });

  it('gives each provider its own key, and to no server that the file names', async () => {
    const env = { OPENAI_API_KEY: 'sk-1', ANTHROPIC_API_KEY: 'sk-ant' };
    const optionsOf = async (processor: object | string) =>
      (await loadFile({ processor }, env)).processor.options;
    expect(await optionsOf('anthropic')).toEqual({ model: PROVIDERS.anthropic.model, apiKey: 'sk-ant' });
    const elsewhere = { driver: 'anthropic', model: 'm', baseURL: 'https://example.org' };
    expect(await optionsOf(elsewhere)).not.toHaveProperty('apiKey');
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
    [
      'a limit out of range',
      { limits: { flushShare: 2 } },
      /limits\.flushShare: 2 is too large; it must be a number above 0 and at most 1$/,
    ],
    [
      'a window that is too small',
      { window: 400 },
      /json: window: 400 is too small; it must be a whole number of tokens from 512 to 100,000,000$/,
    ],
    [
      'a window that is not whole',
      { window: 600.5 },
      /window: 600\.5 is not allowed; it must be a whole number/,
    ],
    [
      'a window in words',
      { window: '4k' },
      /window: "4k" is not allowed; it must be a whole number of tokens/,
    ],
    [
      'a number that is far too large',
      { limits: { keepExchanges: 1e300 } },
      /: 1e\+300 is too large; it must be[^;]*$/,
    ],
    ['a name that is none', { policy: 3 }, /policy: 3 is not allowed; it must be text that is not empty/],
    ['a name that is empty', { layout: '' }, /layout: empty; it must be text that is not empty/],
    [
      'a limit of a block',
      { program: { blocks: { human: { limit: 0 } } } },
      /program\.blocks\.human\.limit: 0 is too small; it must be a whole number of code points from 1 to 1,000,000/,
    ],
    [
      'a block without a name',
      { program: { blocks: { '': {} } } },
      /"" is not allowed as a name; it must be text that is not empty/,
    ],
    [
      'an option of a driver that is malformed',
      { processor: { driver: 'openai', model: 'm', baseURL: 'here' } },
      /processor\.baseURL: "here" is not allowed; it must be an http or https address/,
    ],
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
      /processor: 3 is not allowed; it must be a name, or an object with "driver"/,
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
    [
      'Anthropic without a key',
      { processor: 'anthropic' },
      /processor\.apiKey: missing; set the environment variable ANTHROPIC_API_KEY/,
    ],
    [
      'embeddings of OpenAI without a key (E17)',
      { embedder: 'openai' },
      /embedder\.apiKey: missing; set the environment variable OPENAI_API_KEY/,
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
    write('export default {\n  a b\n};', 'b.mjs');
    await expect(load({}, 'a.mjs')).rejects.toThrow(/a\.mjs has no default export/);
    await expect(load({}, 'b.mjs')).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('b.mjs, line 2: ') as string,
    });
  });
});

describe('where a wrong value is from', () => {
  const refused = async (overrides: object, env: Env = {}): Promise<string> => {
    const error: unknown = await loadConfig({ cwd, env, registry, limits: limitsSchema, overrides }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'E_CONFIG' });
    return (error as Error).message;
  };

  it('is told: the caller, by the option of the command line where there is one', async () => {
    write({ policy: 'lru' });
    expect(await refused({ window: 400 })).toMatch(/^the overrides \(--window\): window: 400 is too small/);
    expect(await refused({ processor: 'gpt' })).toMatch(
      /^the overrides \(--processor\): processor: unknown name/,
    );
    expect(await refused({ policy: 'lfu' })).toMatch(/^the overrides: policy: unknown name "lfu"/);
  });

  it('is told: the file, apart from the caller', async () => {
    write({ policy: 'lfu', layout: 'x' });
    const file = join(cwd, 'pagefault.config.json');
    expect(await refused({ processor: 'gpt' })).toMatch(/^the overrides \(--processor\): processor: /);
    expect(await refused({ processor: 'gpt' })).toContain(`; ${file}: policy: unknown name "lfu"`);
    expect((await refused({ processor: 'gpt' })).split(file)).toHaveLength(2);
  });

  it('is told: the variable that the file took it from', async () => {
    write({ window: '${SIZE:-4096}' });
    expect(await refused({}, { SIZE: '400' })).toMatch(
      /pagefault\.config\.json \(by the variable SIZE\): window: 400 is too small/,
    );
  });

  it.each([
    ['4k', '"4k" is not allowed'],
    ['400', '400 is too small'],
  ])('is told: the environment, whose window is %s', async (given, problem) => {
    expect(await refused({}, { PAGEFAULT_WINDOW: given })).toBe(
      `the environment: PAGEFAULT_WINDOW: ${problem}; it must be a whole number of tokens from 512 to 100,000,000`,
    );
  });

  it('is told: the environment, whose server is none', async () => {
    const env = { OPENAI_API_KEY: 'sk-secret', OPENAI_BASE_URL: 'localhost:8080' };
    expect(await refused({}, env)).toBe(
      'the environment: OPENAI_BASE_URL: "localhost:8080" is not allowed; it must be an http or https address',
    );
  });

  it('is told: the environment, whose server of Anthropic is none', async () => {
    const env = { ANTHROPIC_API_KEY: 'sk-secret', ANTHROPIC_BASE_URL: 'localhost:8080' };
    expect(await refused({}, env)).toMatch(/^the environment: ANTHROPIC_BASE_URL: "localhost:8080"/);
  });

  it('is told without what a secret holds', async () => {
    const processor = { driver: 'openai', model: 'm', apiKey: ['hunter2'], headers: { gate: 12_345 } };
    const message = await refused({ processor });
    expect(message).toMatch(
      /processor\.apiKey: the value is not allowed; .*processor\.headers\.gate: the value is not/,
    );
    expect(message).not.toMatch(/hunter2|12345/);
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
