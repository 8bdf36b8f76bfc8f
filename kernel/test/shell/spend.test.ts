import { type InferRequest, PagefaultError } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createScriptedProcessor, type ScriptedReply } from '@pagefault/driver-processor-scripted';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { boot, fallback, type Kernel, type KernelOptions, virtualClock } from '../../src/index.js';
import { keptOpen } from '../support/recall.js';
import { ask, FEW_SYSCALLS, lastUser, tell } from '../support/stack.js';
import { textOf } from '../support/words.js';

const kernels: Kernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel.close();
});

/** A token costs a dollar per million: so many tokens are so many millionths. */
const PRICES = { input: 1, output: 1 };
const CENT = 10_000;

const used = (reply: ScriptedReply, tokens: number): ScriptedReply => ({
  ...(reply as object),
  usage: { plain: tokens },
});

function spender(tokens: number, options: object = {}, name = 'spender') {
  const replies = (request: InferRequest): ScriptedReply =>
    request.tools.length === 0
      ? { text: 'They talked.', usage: { plain: tokens } }
      : used(tell(`answer to ${lastUser(request).slice(0, 20)}`), tokens);
  return createScriptedProcessor({ replies, prices: PRICES, name, idPrefix: `${name}_`, ...options });
}

async function start(options: Partial<KernelOptions> = {}) {
  const recall = options.recall ?? createMemoryRecall();
  const kernel = await boot({ recall, processor: spender(CENT), syscalls: FEW_SYSCALLS, ...options });
  kernels.push(kernel);
  return { kernel, recall };
}

describe('a process', () => {
  it('adds up what its replies and its summaries cost', async () => {
    const small = spender(CENT, { window: 4_000, maxOutput: 400 });
    const { kernel } = await start({ processor: small });
    const agent = await kernel.spawn();
    for (let n = 0; n < 12; n++) await agent.send(`${n} ${textOf(120)}`);
    const { counters } = await agent.map();
    expect(counters.flushes).toBeGreaterThan(0);
    expect(small.requests.length).toBeGreaterThan(12);
    expect(counters.spend).toBe(small.requests.length * CENT);
  });

  it('pays what the one charges that answered, not the one that was asked first', async () => {
    const main = spender(CENT, { replies: () => ({ error: new PagefaultError('E_OVERLOADED', 'busy') }) });
    const dear = spender(CENT, { prices: { input: 3, output: 3 } }, 'dear');
    const { kernel } = await start({ processor: fallback([main, dear]) });
    const agent = await kernel.spawn();
    await agent.send('hello');
    expect((await agent.map()).counters.spend).toBe(3 * CENT);
  });

  it('is told of a cap, can go on when it was raised, and still knows what was said', async () => {
    const { kernel, recall } = await start({
      recall: keptOpen(createMemoryRecall()),
      limits: { processSpend: 0.02 },
    });
    const agent = await kernel.spawn({ name: 'ada' });
    await agent.send('one');
    await agent.send('two');
    expect(await agent.send('three')).toMatchObject({
      outcome: 'spend-cap',
      text: '',
      failure: { code: 'E_SPEND_CAP', hint: 'raise limits.processSpend to go on' },
    });
    await kernel.close();
    const { kernel: richer } = await start({ recall, limits: { processSpend: 0.05 } });
    const again = await richer.open(agent.pid);
    expect((await again.send('four')).text).toBe('answer to four');
    expect((await again.map()).counters.spend).toBe(3 * CENT);
  });

  it('is summarised without a model once a cap is reached', async () => {
    const small = spender(CENT, { window: 4_000, maxOutput: 400 });
    const { kernel } = await start({ processor: small, limits: { processSpend: 0.05 } });
    const agent = await kernel.spawn();
    for (let n = 0; n < 14; n++) await agent.send(`${n} ${textOf(120)}`);
    expect(small.requests.filter(({ tools }) => tools.length === 0)).toEqual([]);
    expect((await agent.map()).counters).toMatchObject({ spend: 5 * CENT, cycles: 5 });
    expect((await agent.map()).summary.messages).toBeGreaterThan(0);
  });

  it('whose costs are not known is told once on the bus when there is a cap, and never without one', async () => {
    const unknown = spender(CENT, { prices: undefined });
    const told: unknown[] = [];
    for (const limits of [{ turnSpend: 1 }, {}]) {
      const { kernel } = await start({ processor: { ...unknown }, limits });
      kernel.bus.on('spend-unknown', (event) => void told.push(event));
      const agent = await kernel.spawn();
      for (const text of ['one', 'two']) expect((await agent.send(text)).outcome).toBe('answered');
      await kernel.close();
    }
    expect(told).toEqual([{ pid: expect.any(String), processor: 'main' }]);
  });
});

describe('a cap on the stack', () => {
  it('is on what all processes spent together, also before this kernel', async () => {
    const { kernel, recall } = await start({ recall: keptOpen(createMemoryRecall()) });
    for (const name of ['ada', 'bob']) await (await kernel.spawn({ name })).send('hello');
    await kernel.close();
    const { kernel: capped } = await start({ recall, limits: { stackSpend: 0.03 } });
    const eve = await capped.spawn({ name: 'eve' });
    expect((await eve.send('one')).outcome).toBe('answered');
    expect(await eve.send('two')).toMatchObject({
      outcome: 'spend-cap',
      failure: { message: 'the processes of this store spent $0.03, and limits.stackSpend is $0.03' },
    });
    const ada = await capped.find('ada');
    expect((await ada?.send('three'))?.outcome).toBe('spend-cap');
  });

  it('hears within a minute what other kernels of a shared store spend', async () => {
    const memory = keptOpen(createMemoryRecall());
    const recall = { ...memory, supports: Object.freeze({ ...memory.supports, shared: true }) };
    const clock = virtualClock();
    const { kernel: one } = await start({ recall, clock, limits: { stackSpend: 0.03 } });
    const { kernel: other } = await start({ recall, clock });
    const [ada, bob] = [await one.spawn(), await other.spawn()];
    expect((await ada.send('one')).outcome).toBe('answered');
    await bob.send('hello');
    await bob.send('hello');
    expect((await ada.send('two')).outcome).toBe('answered');
    await clock.advance(60_000);
    expect((await ada.send('three')).outcome).toBe('spend-cap');
  });
});

it('whatever fails, each message ends its turn once and the spend is the sum of what was reported', async () => {
  const fate = fc.constantFrom('ok', 'looks', 'overloaded', 'half', 'silent');
  await fc.assert(
    fc.asyncProperty(fc.array(fate, { minLength: 1, maxLength: 12 }), async (fates) => {
      let reported = 0;
      const replies =
        (index: number) =>
        (request: InferRequest, n: number): ScriptedReply => {
          const is = fates[(n + index) % fates.length];
          if (is === 'overloaded') return { error: new PagefaultError('E_OVERLOADED', 'busy') };
          if (is === 'half') return { text: 'Half of', broken: 'half' };
          if (is === 'silent') return tell('answer');
          const tokens = 100 + n;
          reported += tokens;
          const looks = is === 'looks' && request.messages.at(-2)?.role !== 'tool';
          return used(looks ? ask('conversation_search', { query: `${n}` }) : tell('answer'), tokens);
        };
      const members = [0, 1].map((index) => spender(0, { replies: replies(index) }, `p${index}`));
      const { kernel } = await start({ processor: fallback(members, { passOverMs: 0 }) });
      let ended = 0;
      kernel.bus.on('turn-result', () => (ended += 1));
      const agent = await kernel.spawn();
      for (let n = 0; n < 6; n++) await agent.send(`message ${n}`);
      expect(ended).toBe(6);
      expect((await agent.map()).counters.spend ?? 0).toBe(reported);
      await kernel.close();
    }),
    { numRuns: Number(process.env['PAGEFAULT_RUNS'] ?? 25) },
  );
}, 120_000);
