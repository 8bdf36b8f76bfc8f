import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { ReplyFunction } from '@pagefault/driver-processor-scripted';
import { limitsSchema } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig, type Overrides, REGISTRY, start } from '../src/index.js';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'pagefault-routing-'));
});
afterEach(() => rmSync(cwd, { recursive: true }));

const KEYS = { OPENAI_API_KEY: 'sk-o', ANTHROPIC_API_KEY: 'sk-a' };

async function load(content: object, env: Record<string, string> = KEYS) {
  writeFileSync(join(cwd, 'pagefault.config.json'), JSON.stringify(content));
  return loadConfig({ cwd, env, registry: REGISTRY, limits: limitsSchema });
}

async function refusal(content: object, env?: Record<string, string>): Promise<string> {
  const error: unknown = await load(content, env).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_CONFIG' });
  return (error as Error).message;
}

const PROCESSORS = { main: { driver: 'openai', model: 'gpt-4o' }, cheap: 'anthropic' };

describe('several processors', () => {
  it('have names, each with the key of its own provider; `main` runs the processes, or else the first', async () => {
    const { processor, routing } = await load({ processors: PROCESSORS });
    expect(processor).toEqual({ driver: 'openai', options: { model: 'gpt-4o', apiKey: 'sk-o' } });
    expect(routing).toMatchObject({
      order: ['main'],
      processors: { main: processor, cheap: { driver: 'anthropic' } },
    });
    expect(routing?.processors['cheap']?.options).toMatchObject({ apiKey: 'sk-a' });
    const { routing: other } = await load({ processors: { quick: 'reflex', slow: 'reflex' } });
    expect(other?.order).toEqual(['quick']);
  });

  it('are chosen by name, or by an order of fallback, for processes and for summaries', async () => {
    const chosen = await load({
      processors: PROCESSORS,
      processor: 'cheap',
      summariser: { processor: 'main' },
    });
    expect(chosen.processor.driver).toBe('anthropic');
    expect(chosen).toMatchObject({
      summariser: 'recursive',
      routing: { order: ['cheap'], summaries: 'main' },
    });
    const { routing, processor } = await load({ processors: PROCESSORS, processor: ['cheap', 'main'] });
    expect([routing?.order, processor.driver]).toEqual([['cheap', 'main'], 'anthropic']);
  });

  it('stand beside one without a name, which is called main', async () => {
    const { routing } = await load({ processor: 'reflex', processors: { cheap: 'anthropic' } });
    expect(routing).toMatchObject({ order: ['main'], processors: { main: { driver: 'reflex' } } });
  });

  it('are not there in a file that names none, and nothing is different', async () => {
    expect(await load({ processor: 'reflex' })).not.toHaveProperty('routing');
    expect((await load({ processor: 'reflex', summariser: { processor: 'main' } })).summariser).toBe(
      'recursive',
    );
  });

  it.each([
    [
      { processor: 'mian' },
      /processor: there is no processor "mian"; did you mean "main"\?; known: main, cheap/,
    ],
    [{ processor: ['main', 'chaep'] }, /processor: there is no processor "chaep"; did you mean "cheap"/],
    [{ processor: ['main', 'main'] }, /processor: "main" stands in the order twice/],
    [{ processor: { driver: 'reflex' } }, /processors has a "main".*name this one there too/],
    [{ summariser: { processor: 'chep' } }, /summariser\.processor: there is no processor "chep"/],
    [{ processors: { fast: 'opnai' } }, /processors\.fast: unknown name "opnai"; did you mean "openai"/],
    [{ processors: { fast: { driver: 'opnai' } } }, /processors\.fast\.driver: unknown name "opnai"/],
    [{ processor: [] }, /: processor: /],
  ])('that are not there are refused with those that are (E06): %j', async (change, why) => {
    expect(await refusal({ processors: PROCESSORS, ...change })).toMatch(why);
  });

  it('without a key, or without any name, say where it is missing', async () => {
    expect(await refusal({ processors: PROCESSORS }, { OPENAI_API_KEY: 'k' })).toMatch(
      /processors\.cheap\.apiKey: missing; set the environment variable ANTHROPIC_API_KEY/,
    );
    expect(await refusal({ processor: ['main'] })).toMatch(/none is named: the file has no `processors`/);
  });
});

describe('a machine of several processors', () => {
  const says =
    (name: string): ReplyFunction =>
    ({ tools }) =>
      tools.length === 0 ? name : { calls: [{ name: 'send_message', arguments: { message: name } }] };
  const scripted = (name: string, more: object = {}) => ({
    driver: 'scripted',
    replies: says(name),
    name,
    model: name,
    idPrefix: `${name}_`,
    ...more,
  });
  const busy = scripted('busy', { replies: () => ({ error: new PagefaultError('E_OVERLOADED', 'busy') }) });
  const inMemory: Overrides = { recall: 'memory', archival: 'none', embedder: 'none' };
  const boot = (overrides: Overrides) => start({ cwd, env: {}, overrides: { ...inMemory, ...overrides } });

  it('runs each process on its choice, and falls back in the order of the configuration', async () => {
    const processors = { main: busy, backup: scripted('backup'), cheap: scripted('cheap') };
    await using machine = await boot({ processors, processor: ['main', 'backup'] });
    const { kernel } = machine;
    const agent = await kernel.spawn();
    expect((await agent.send('hello')).text).toBe('backup');
    expect(kernel.processors).toEqual(['main,backup', 'main', 'backup', 'cheap']);
    await agent.useProcessor('cheap');
    expect((await agent.send('hello')).text).toBe('cheap');
    await agent.useProcessor('main');
    expect((await agent.send('hello')).failure?.code).toBe('E_OVERLOADED');
  });

  it('says at the start whose prices it does not know, when there is a cap on spending', async () => {
    writeFileSync(join(cwd, 'pagefault.config.json'), JSON.stringify({ limits: { turnSpend: 0.5 } }));
    const priced = scripted('dear', { prices: { input: 1, output: 2 } });
    await using machine = await boot({ processors: { main: scripted('free'), dear: priced } });
    expect(machine.notes.join()).toMatch(/limits\.turnSpend: the prices of main \(free\) are not known/);
    await using known = await boot({ processors: { dear: priced } });
    expect(known.notes.join()).not.toContain('prices');
  });
});
