import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InferRequest } from '@pagefault/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspect, type Overrides, start } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagefault-wiring-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const inMemory: Overrides = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
const embedded: Overrides = { archival: 'none', embedder: 'none', processor: 'reflex' };

describe('a machine', () => {
  it.each<{ title: string; overrides: Overrides }>([
    { title: 'everything in memory, without vectors', overrides: inMemory },
    { title: 'everything in memory, with vectors', overrides: { recall: 'memory', processor: 'reflex' } },
    { title: 'the embedded store, as it is by default', overrides: {} },
    {
      title: 'a policy and a summariser by name',
      overrides: { ...inMemory, policy: 'lru', summariser: 'extractive' },
    },
  ])('runs with $title', async ({ overrides }) => {
    await using machine = await start({ cwd: folder, env: {}, overrides });
    const process = await machine.kernel.spawn({ name: 'ada' });
    const { outcome, text } = await process.send('My name is Ada and I breed alpacas in Cork.');
    expect(outcome).toBe('answered');
    expect(text).toContain('Ada');
    await machine.kernel.settle();
  });

  it.each(['openai', 'anthropic'])('starts with the provider that is chosen: %s', async (driver) => {
    const processor = { driver, model: 'm', baseURL: 'http://127.0.0.1:9' };
    await using machine = await start({ cwd: folder, env: {}, overrides: { ...inMemory, processor } });
    const map = await (await machine.kernel.spawn()).map();
    expect(map.budget.window).toBe(8_192);
  });

  it.each([
    [{ model: './no-such-model' }, /embedder-local\.model: .*no-such-model does not exist/],
    [{ model: 'owner/unknown' }, /embedder-local\.dimension: missing/],
    [{ modle: './x' }, /embedder-local\.modle: unknown key; did you mean "model"/],
  ])('refuses an embedder of %j before anything is opened (B23)', async (options, message) => {
    const embedder = { driver: 'local', ...options };
    const starting = start({
      cwd: folder,
      env: {},
      overrides: { recall: 'memory', processor: 'reflex', embedder },
    });
    await expect(starting).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(message),
    });
  });

  it('reads its configuration file, and what is overridden wins', async () => {
    const config = { ...inMemory, window: 4_096, program: { blocks: { goals: { value: 'none yet' } } } };
    await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify(config));
    await using machine = await start({ cwd: folder, env: {}, overrides: { window: 6_000 } });
    const map = await (await machine.kernel.spawn()).map();
    expect(map.budget.window).toBe(6_000);
    expect(map.blocks).toMatchObject([{ name: 'goals', value: 'none yet' }]);
  });

  it.each([
    { choice: {}, blocks: true, speech: true },
    { choice: { layout: 'classic', dialect: 'native' }, blocks: false, speech: false },
  ])(
    'sends requests in the layout and dialect that are chosen: $choice',
    async ({ choice, blocks, speech }) => {
      const requests: InferRequest[] = [];
      const onRequest = (_: string, request: InferRequest) => void requests.push(request);
      await writeFile(join(folder, 'pagefault.config.json'), JSON.stringify({ ...inMemory, ...choice }));
      await using machine = await start({ cwd: folder, env: {}, onRequest });
      const { text } = await (await machine.kernel.spawn()).send('My name is Ada.');
      expect(text).toContain('Ada');
      const [request] = requests;
      expect(request?.messages[0]?.id === 'blocks').toBe(blocks);
      expect(request?.tools.some(({ name }) => name === 'send_message')).toBe(speech);
      expect(request?.system.includes('send_message')).toBe(speech);
    },
  );

  it.each([
    ['layout', 'clasic', 'known: stable, classic, user-last'],
    ['dialect', 'natve', 'did you mean "native"?; known: memgpt, native'],
  ])('refuses an unknown %s, and lists those that are (E06)', async (kind, name, words) => {
    const overrides = { ...inMemory, [kind]: name };
    await expect(start({ cwd: folder, env: {}, overrides })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining(words) as string,
    });
  });

  it('refuses a driver that is not known, and lists those that are (E06)', async () => {
    await expect(start({ cwd: folder, env: {}, overrides: { recall: 'pglit' } })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('pglite') as string,
    });
  });

  it('lets a driver refuse its own options by name (E01)', async () => {
    const processor = { driver: 'reflex', windw: 4_096 };
    await expect(
      start({ cwd: folder, env: {}, overrides: { ...inMemory, processor } }),
    ).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('windw') as string,
    });
  });

  it('records each process into the folder that is named', async () => {
    const record = join(folder, 'recordings');
    const machine = await start({ cwd: folder, env: {}, overrides: { ...inMemory, record } });
    await (await machine.kernel.spawn()).send('Hello.');
    await machine.close();
    expect(await readdir(record)).toHaveLength(1);
  });
});

describe('a look into a stack', () => {
  it('attaches to the kernel that holds the store', async () => {
    await using machine = await start({ cwd: folder, env: {}, overrides: embedded });
    const process = await machine.kernel.spawn({ name: 'ada' });
    await process.send('Hello.');
    const inspector = await inspect({ cwd: folder, env: {}, overrides: embedded });
    expect(await inspector.ps()).toMatchObject([{ name: 'ada', running: true }]);
    expect(await inspector.pmap('ada')).toEqual(await machine.kernel.inspect(process.pid));
    expect(await inspector.vmstat()).toMatchObject({ processes: 1, counters: { turns: 1 } });
    await expect(inspector.pmap('bob')).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      hint: expect.stringContaining('ada') as string,
    });
    await inspector.close();
  });

  it('sets, lists and cancels timers of the kernel that holds the store', async () => {
    await using machine = await start({ cwd: folder, env: {}, overrides: embedded });
    const process = await machine.kernel.spawn({ name: 'ada' });
    const inspector = await inspect({ cwd: folder, env: {}, overrides: embedded });
    const timer = await inspector.setTimer('ada', { text: 'Look.', every: 3_600_000 });
    expect(await process.timers.list()).toEqual([timer]);
    expect(await inspector.timers('ada')).toEqual([timer]);
    await expect(inspector.setTimer('ada', { text: 'Look.', every: 5 })).rejects.toMatchObject({
      code: 'E_INVALID',
    });
    await expect(inspector.cancelTimer('ada', 'x')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await inspector.cancelTimer('ada', timer.id);
    expect(await process.timers.list()).toEqual([]);
    await inspector.close();
  });

  it('does to processes of the kernel that holds the store what it is told to', async () => {
    await using machine = await start({ cwd: folder, env: {}, overrides: embedded });
    const inspector = await inspect({ cwd: folder, env: {}, overrides: embedded });
    const ada = await inspector.spawn({ name: 'ada', blocks: [{ name: 'human', value: 'Ada' }] });
    await expect(inspector.spawn({ name: 'ada' })).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect(await inspector.control('ada', { do: 'mask', kinds: ['timer'] })).toMatchObject({
      ...ada,
      masked: ['timer'],
    });
    await inspector.control('ada', { do: 'pause' });
    const process = await machine.kernel.open(ada.pid);
    await process.post({ kind: 'user', text: 'My number is 4711.', id: 'x' });
    expect(await inspector.control('ada', { do: 'resume' })).toMatchObject({ paused: false });
    const copy = await inspector.fork('ada', 'try');
    expect(await inspector.rename('try', 'copy')).toEqual({ ...copy, name: 'copy' });
    await inspector.control('copy', { do: 'kill' });
    expect(await inspector.ps()).toMatchObject([
      { ...ada, masked: ['timer'], paused: false, messages: 5 },
      { name: 'copy', killedAt: expect.any(Number) as number, parent: ada },
    ]);
    expect(await inspector.erase('ada', { messages: ['m1'] })).toMatchObject({ done: true });
    expect(await inspector.eraseProcess('ada', { cascade: true })).toMatchObject({ whole: true });
    expect(await inspector.eraseSpeaker('Eve')).toEqual([]);
    expect(await inspector.ps()).toEqual([]);
    await inspector.close();
  });

  it('opens the store itself when no kernel holds it', async () => {
    const machine = await start({ cwd: folder, env: {}, overrides: embedded });
    await (await machine.kernel.spawn({ name: 'ada' })).send('Hello.');
    await machine.close();
    const inspector = await inspect({ cwd: folder, env: {}, overrides: embedded });
    expect(await inspector.ps()).toMatchObject([{ name: 'ada', running: false }]);
    await inspector.close();
  });

  it('makes no store where there is none', async () => {
    const inspector = await inspect({ cwd: folder, env: {}, overrides: embedded });
    expect(await inspector.ps()).toEqual([]);
    expect(await inspector.vmstat()).toMatchObject({ processes: 0, counters: { turns: 0, faults: 0 } });
    await expect(inspector.pmap('ada')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(inspector.control('ada', { do: 'pause' })).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await inspector.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('leaves nothing behind when the machine is closed', async () => {
    const machine = await start({ cwd: folder, env: {}, overrides: embedded });
    await machine.close();
    await machine.close();
    const again = await start({ cwd: folder, env: {}, overrides: embedded });
    await again.close();
    expect((await readdir(join(folder, '.pagefault'))).filter((name) => name.endsWith('.sock'))).toEqual([]);
  });
});
