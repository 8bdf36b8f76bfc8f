import {
  type Bill,
  type InferRequest,
  type EmbedderDriver,
  type EmbedPurpose,
  PagefaultError,
  type ProcessorDriver,
} from '@pagefault/contracts';
import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { createScriptedProcessor, type ScriptedReply } from '@pagefault/driver-processor-scripted';
import { afterEach, describe, expect, it } from 'vitest';
import { boot, fallback, type Kernel, type KernelOptions } from '../../src/index.js';
import { themeEmbedder } from '../support/embedding.js';
import { keptOpen } from '../support/recall.js';
import { ask, FEW_SYSCALLS, tell } from '../support/stack.js';
import { textOf } from '../support/words.js';

const kernels: Kernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel.close();
});

/** A token costs a dollar per million: so many tokens are so many millionths. */
const PRICES = { input: 1, output: 1 };
const CENT = 10_000;

const costing = (tokens: number, reply: ScriptedReply): ScriptedReply => ({
  ...(reply as object),
  usage: { plain: tokens },
});
const busy = new PagefaultError('E_OVERLOADED', 'busy');

let drivers = 0;
type Replies = (request: InferRequest, n: number) => ScriptedReply;

function scripted(replies: Replies, options: object = {}) {
  return createScriptedProcessor({ replies, prices: PRICES, idPrefix: `c${(drivers += 1)}_`, ...options });
}

async function start(options: Partial<KernelOptions> & { processor: ProcessorDriver }) {
  const recall = options.recall ?? createMemoryRecall();
  const kernel = await boot({ recall, syscalls: FEW_SYSCALLS, ...options });
  kernels.push(kernel);
  return { kernel, recall, agent: await kernel.spawn() };
}

describe('what is billed without a reply', () => {
  it('counts as far as it was told: after an error, and after some text', async () => {
    const replies: Replies = (_, n) =>
      [
        { usedSoFar: { plain: 300, cached: 100 }, error: busy },
        { usedSoFar: { plain: 500, output: 7 }, text: 'Half of', error: busy },
        costing(CENT, tell('whole')),
      ][n] ?? 'more';
    const { agent } = await start({ processor: scripted(replies) });
    for (const text of ['one', 'two', 'three']) await agent.send(text);
    const { bills, spend, counters } = await agent.map();
    const total = 400 + 507 + CENT;
    expect(bills).toEqual({ main: { requests: 3, input: 900 + CENT, cached: 100, output: 7, spend: total } });
    expect([spend, counters.spend, counters.output]).toEqual([total, total, 7]);
  });

  it('counts once when the same request answers after all', async () => {
    const replies: Replies = () => ({
      ...(costing(900, tell('whole')) as object),
      usedSoFar: { plain: 800 },
    });
    const { agent } = await start({ processor: scripted(replies) });
    await agent.send('one');
    expect((await agent.map()).bills).toMatchObject({ main: { requests: 1, input: 900, spend: 900 } });
  });

  it('counts when the user stopped it, though its driver never came back', async () => {
    const replies: Replies = () => ({ usedSoFar: { plain: 800 }, text: 'Hm', broken: 'hang' });
    const { agent, kernel } = await start({ processor: scripted(replies) });
    const stop = new AbortController();
    kernel.bus.on('request', () => setImmediate(() => stop.abort()));
    expect((await agent.send('one', { signal: stop.signal })).outcome).toBe('interrupted');
    expect((await agent.map()).bills).toMatchObject({ main: { requests: 1, input: 800, spend: 800 } });
  });

  it('is of unknown cost when nobody told how much, and nothing when nobody worked', async () => {
    const replies: Replies = (_, n) => [{ error: busy }, { text: 'Half of', error: busy }][n] ?? 'more';
    const { agent, kernel } = await start({ processor: scripted(replies), limits: { turnSpend: 1 } });
    const told: unknown[] = [];
    kernel.bus.on('spend-unknown', ({ processor }) => void told.push(processor));
    await agent.send('one');
    expect((await agent.map()).bills).toEqual({});
    await agent.send('two');
    const unknown = { requests: 1, input: 0, cached: 0, output: 0, unknown: 1 };
    expect((await agent.map()).bills).toEqual({ main: unknown });
    expect(told).toEqual(['main']);
  });

  it('counts against the caps of the turn, in tokens and in dollars', async () => {
    const replies: Replies = (_, n) =>
      n % 2 === 0
        ? costing(10, ask('conversation_search', { query: `${n}` }))
        : { usedSoFar: { plain: 3 * CENT }, error: busy };
    const main = scripted(replies);
    const spare = scripted((_, n) => costing(10, ask('conversation_search', { query: `again ${n}` })));
    for (const limits of [{ turnSpend: 0.02 }, { maxTurnTokens: 2 * CENT }]) {
      const { agent } = await start({ processor: fallback([main, spare], { passOverMs: 0 }), limits });
      const result = await agent.send('one');
      expect([result.outcome, result.failure?.code, result.cycles]).toEqual(['spend-cap', 'E_SPEND_CAP', 2]);
    }
  });

  it('counts for a reply that cannot be used at all', async () => {
    const good = scripted(() => costing(700, 'x'));
    const broken: ProcessorDriver = {
      ...good,
      async *infer(request, signal) {
        for await (const event of good.infer(request, signal))
          yield event.type === 'finish'
            ? { type: 'finish', reply: { ...event.reply, parts: undefined as never } }
            : event;
      },
    };
    const { agent } = await start({ processor: broken });
    expect((await agent.send('one')).failure?.code).toBe('E_PROTOCOL');
    expect((await agent.map()).spend).toBe(700);
  });
});

describe('bills', () => {
  it('are by whom charges them, each at its own price, also of a fallback that failed before', async () => {
    const cheap = scripted(() => ({ usedSoFar: { plain: 100 }, error: busy }), { name: 'cheap' });
    const dear = scripted(() => costing(CENT, tell('hello')), {
      name: 'dear',
      prices: { input: 3, output: 3 },
    });
    const { agent } = await start({
      processor: fallback([cheap, dear], { names: ['cheap', 'dear'], passOverMs: 0 }),
    });
    await agent.send('one');
    expect((await agent.map()).bills).toMatchObject({
      cheap: { requests: 1, input: 100, spend: 100 },
      dear: { requests: 1, input: CENT, spend: 3 * CENT },
    });
  });

  it('name the summariser, with summaries that failed', async () => {
    const main = scripted(() => costing(10, tell('hello')), { window: 4_000, maxOutput: 400 });
    const writer = scripted((_, n) =>
      n === 0
        ? { usedSoFar: { plain: 30 }, error: busy }
        : { text: 'They talked.', usage: { plain: 20, output: 5 } },
    );
    const { agent } = await start({
      processor: main,
      processors: { writer },
      summariser: { processor: 'writer' },
    });
    for (let n = 0; n < 12; n++) await agent.send(`${n} ${textOf(120)}`);
    const { bills, spend } = await agent.map();
    const written = writer.requests.length - 1;
    expect(written).toBeGreaterThan(0);
    expect(bills['writer']).toEqual({
      requests: written + 1,
      input: 30 + 20 * written,
      cached: 0,
      output: 5 * written,
      spend: 30 + 25 * written,
    });
    expect(spend).toBe(30 + 25 * written + 10 * main.requests.length);
  });

  it('of a fork begin with the fork', async () => {
    const { agent } = await start({ processor: scripted(() => costing(10, tell('hello'))) });
    await agent.send('one');
    expect(await (await agent.fork({ name: 'child' })).map()).toMatchObject({ bills: {}, spend: 0 });
  });
});

describe('what is spent beside turns', () => {
  it('by ask is kept, though nothing else of it is, and counts for every cap (C18)', async () => {
    const recall = keptOpen(createMemoryRecall());
    const processor = scripted(() => costing(CENT, tell('hello')));
    const { agent, kernel } = await start({
      recall,
      processor,
      limits: { processSpend: 0.03, stackSpend: 0.04 },
    });
    await agent.send('one');
    await agent.ask('two');
    await agent.ask('three');
    const { messages, spend, counters, bills } = await agent.map();
    expect([spend, counters.spend, bills['main']?.requests]).toEqual([3 * CENT, CENT, 3]);
    expect(await agent.ask('four')).toMatchObject({
      outcome: 'spend-cap',
      failure: { code: 'E_SPEND_CAP', message: expect.stringMatching(/\$0\.03.*processSpend/) },
    });
    expect((await agent.send('five')).outcome).toBe('spend-cap');
    const bob = await kernel.spawn();
    expect((await bob.send('six')).outcome).toBe('answered');
    expect((await bob.ask('seven')).failure?.message).toMatch('stackSpend');
    expect((await agent.map()).messages).toBeGreaterThan(messages);
    await kernel.close();
    const { kernel: later } = await start({ recall, processor, limits: { stackSpend: 0.04 } });
    expect((await (await later.open(bob.pid)).send('eight')).failure?.message).toMatch('spent $0.04');
  });

  it('by an ask that was stopped is kept as far as it is known', async () => {
    const processor = scripted(() => ({ usedSoFar: { plain: 40 }, text: 'x', broken: 'hang' }));
    const { agent, kernel } = await start({ processor });
    const stop = new AbortController();
    kernel.bus.on('request', () => setImmediate(() => stop.abort()));
    await agent.ask('one', { signal: stop.signal });
    expect((await agent.map()).spend).toBe(40);
  });

  it('on embeddings counts for the process whose texts and questions they are', async () => {
    const tokens = 50;
    const bill: Bill = { usage: { plain: tokens, cached: 0, written: 0, output: 0 } };
    const themes = themeEmbedder();
    const embedder = {
      ...themes,
      supports: Object.freeze({ ...themes.supports, price: 2 }),
      embed: (async (
        texts: readonly string[],
        _signal?: AbortSignal,
        _purpose?: EmbedPurpose,
        onBill?: (bill: Bill) => void,
      ) => {
        onBill?.(bill);
        return themes.embed(texts);
      }) satisfies EmbedderDriver['embed'],
    };
    const recall = keptOpen(createMemoryRecall());
    const stack = { recall, archival: createMemoryArchival({ dimension: 4 }), embedder };
    const processor = scripted(() => costing(10, tell('hello')));
    const { agent, kernel } = await start({ ...stack, processor });
    const bob = await kernel.spawn();
    await agent.archive([{ text: 'Alpacas have wool.' }]);
    await kernel.settle();
    await agent.search({ query: 'alpacas', collection: 'passages' });
    await kernel.close();
    const { kernel: later } = await start({ recall, processor });
    const map = await (await later.open(agent.pid)).map();
    const requests = map.bills['themes']?.requests ?? 0;
    expect(requests).toBeGreaterThanOrEqual(2);
    expect(map.bills).toEqual({
      themes: { requests, input: requests * tokens, cached: 0, output: 0, spend: requests * 2 * tokens },
    });
    expect((await (await later.open(bob.pid)).map()).bills).toEqual({});
  });
});
