import { createMemoryRecall } from '@pagefault/driver-memory';
import { createScriptedProcessor, type ScriptedOptions } from '@pagefault/driver-processor-scripted';
import { afterEach, describe, expect, it } from 'vitest';
import { boot, type Kernel, type KernelOptions, type RecordingLine, rerun } from '../../src/index.js';
import { lineSink } from '../support/recording.js';
import { ask, FEW_SYSCALLS, gate, hasResults, lastUser, shown, tell } from '../support/stack.js';
import { textOf } from '../support/words.js';

const kernels: Kernel[] = [];
afterEach(async () => {
  for (const kernel of kernels.splice(0)) await kernel.close();
});

/** A processor that says its name. */
function speaker(name: string, options: Partial<ScriptedOptions> = {}) {
  const replies = (request: Parameters<typeof lastUser>[0]) => tell(`${name}: ${lastUser(request)}`);
  return createScriptedProcessor({ replies, name, model: name, idPrefix: `${name}_`, ...options });
}

async function start(options: Partial<KernelOptions> = {}) {
  const main = speaker('main');
  const cheap = speaker('cheap');
  const recall = options.recall ?? createMemoryRecall();
  const parts = { recall, processor: main, processors: { cheap } };
  const kernel = await boot({ ...parts, syscalls: FEW_SYSCALLS, ...options });
  kernels.push(kernel);
  return { kernel, main, cheap, recall };
}

describe('a process', () => {
  it("runs on the stack's own processor until it is put on another, and its memory goes with it", async () => {
    const { kernel, cheap } = await start();
    const agent = await kernel.spawn();
    expect((await agent.send('one')).text).toBe('main: one');
    await agent.useProcessor('cheap');
    expect((await agent.send('two')).text).toBe('cheap: two');
    expect(shown(cheap.requests[0] ?? { tools: [], system: '', messages: [], maxOutput: 0 })).toContain(
      'one',
    );
    expect((await agent.map()).processor).toEqual({ name: 'cheap', driver: 'cheap', model: 'cheap' });
    await agent.useProcessor();
    expect((await agent.send('three')).text).toBe('main: three');
    expect((await agent.map()).processor.name).toBe('main');
  });

  it('is put on another at the end of the turn under way, which ends where it began', async () => {
    const { opened, open } = gate();
    const main = speaker('main', {
      replies: (request, n) =>
        hasResults(request)
          ? tell(`main ${n}`)
          : { ...(ask('conversation_search', { query: 'x' }) as object), before: opened },
    });
    const { kernel } = await start({ processor: main });
    const agent = await kernel.spawn();
    const [first, second] = [agent.send('one'), agent.send('two')];
    await until(() => main.requests.length === 1);
    const swapped = agent.useProcessor('cheap');
    open();
    expect((await first).text).toBe('main 1');
    await swapped;
    expect((await second).text).toBe('cheap: two');
  });

  it('stays on it across a restart, and so does its fork; others are where they were', async () => {
    const { kernel, recall } = await start();
    const agent = await kernel.spawn({ name: 'ada' });
    const other = await kernel.spawn({ name: 'bob' });
    await agent.useProcessor('cheap');
    const child = await agent.fork({ name: 'eve' });
    await kernel.close();
    const { kernel: again } = await start({ recall });
    const say = async (pid: string) => (await (await again.open(pid)).send('hello')).text;
    expect([await say(agent.pid), await say(child.pid), await say(other.pid)]).toEqual([
      'cheap: hello',
      'cheap: hello',
      'main: hello',
    ]);
  });

  it('may be made on one, and an unknown name is refused with those that there are', async () => {
    const { kernel } = await start();
    const agent = await kernel.spawn({ processor: 'cheap' });
    expect((await agent.send('one')).text).toBe('cheap: one');
    const refusal = { code: 'E_NOT_FOUND', hint: expect.stringMatching(/processors: .*cheap/) };
    await expect(agent.useProcessor('cheep')).rejects.toMatchObject(refusal);
    await expect(kernel.spawn({ processor: 'cheep' })).rejects.toMatchObject(refusal);
    expect(kernel.processors).toEqual(['main', 'cheap']);
  });

  it('whose processor is gone from the stack is not run by another unasked, is still shown, and can be moved (E06)', async () => {
    const { kernel, recall } = await start();
    const { pid } = await kernel.spawn({ processor: 'cheap', name: 'ada' });
    await kernel.close();
    const { kernel: without } = await start({ recall, processors: {} });
    const agent = await without.open(pid);
    await expect(agent.send('one')).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('process "ada" runs on the processor "cheap"'),
      hint: expect.stringContaining('processors: main'),
    });
    expect((await without.inspect(pid)).processor.name).toBe('cheap');
    await agent.useProcessor('main');
    // The message was taken when it was sent, and waits.
    expect((await agent.send('two')).text).toMatch(/^main: /);
  });

  it('is counted anew, and reclaimed before a smaller window is asked', async () => {
    const small = speaker('small', { window: 3_600, maxOutput: 400 });
    const { kernel } = await start({ processors: { small } });
    const agent = await kernel.spawn();
    for (let n = 0; n < 12; n++) await agent.send(`${n} ${textOf(120)}`);
    const before = await agent.map();
    await agent.useProcessor('small');
    const after = await agent.map();
    expect(after.budget.tokens).toBeLessThan(before.pressure);
    const sizes: number[] = [];
    kernel.bus.on('request', ({ tokens }) => void sizes.push(tokens));
    expect((await agent.send('Still there?')).outcome).toBe('answered');
    expect(sizes[0]).toBeLessThanOrEqual(after.budget.tokens);
    expect((await agent.map()).counters.evicted).toBeGreaterThan(0);
  });

  it('begins a new recording with each, and all of them run again to the same requests (invariant 6)', async () => {
    const small = speaker('small', { window: 4_000, maxOutput: 400 });
    const recordings: (readonly RecordingLine[])[] = [];
    const record = {
      place: 'memory',
      open: () => {
        const sink = lineSink();
        recordings.push(sink.lines as never);
        return sink;
      },
      erase: async () => [],
    };
    const { kernel } = await start({ processors: { small }, record });
    const agent = await kernel.spawn();
    for (const name of ['main', 'small', 'main']) {
      await agent.useProcessor(name);
      for (let n = 0; n < 8; n++) await agent.send(`${name} ${n} ${textOf(100)}`);
    }
    await kernel.close();
    expect(recordings.length).toBe(4);
    for (const lines of recordings) {
      const report = await rerun(lines as never);
      expect(report).toMatchObject({ equal: report.requests, torn: false });
      expect([report.firstDifference, report.firstOtherEvent]).toEqual([undefined, undefined]);
    }
  });
});

describe('summaries', () => {
  const summing = (name: string) =>
    speaker(name, {
      replies: (request) =>
        request.tools.length === 0 ? `summary by ${name}` : tell(`${name}: ${lastUser(request).slice(0, 9)}`),
      window: 4_000,
      maxOutput: 400,
    });
  const fill = async (options: Partial<KernelOptions>, processor?: string) => {
    const { kernel } = await start({
      processor: summing('main'),
      processors: { cheap: summing('cheap') },
      ...options,
    });
    const agent = await kernel.spawn({ ...(processor !== undefined && { processor }) });
    for (let n = 0; n < 14; n++) await agent.send(`${n} ${textOf(120)}`);
    return (await agent.map()).summary.text;
  };

  it('are written by the processor that the process runs on, or by the one that is named for them', async () => {
    expect(await fill({}, 'cheap')).toBe('summary by cheap');
    expect(await fill({ summariser: { processor: 'cheap' } })).toBe('summary by cheap');
    expect(await fill({ summariser: { processor: 'main' } }, 'cheap')).toBe('summary by main');
  });

  it('by a processor that is not there are refused at boot, with the names that are', async () => {
    await expect(start({ summariser: { processor: 'cheep' } })).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: 'processors: cheap, main',
    });
  });
});

describe('the stack', () => {
  it('opens and closes all processors, also when one of them fails to open', async () => {
    const states: string[] = [];
    const noted = (name: string, fails = false) => ({
      ...speaker(name),
      open: async () => {
        states.push(`open ${name}`);
        if (fails) throw new Error('no such host');
      },
      close: async () => void states.push(`close ${name}`),
    });
    const { kernel } = await start({ processor: noted('main'), processors: { cheap: noted('cheap') } });
    await kernel.close();
    expect(states.splice(0)).toEqual(['open cheap', 'open main', 'close main', 'close cheap']);
    const broken = start({ processor: noted('main', true), processors: { cheap: noted('cheap') } });
    await expect(broken).rejects.toThrow(/no such host/);
    expect(states).toEqual(['open cheap', 'open main', 'close main', 'close cheap']);
  });

  it('takes its own processor by name too, and refuses names that are taken or not there', async () => {
    const { kernel } = await start({ processor: 'cheap' });
    expect((await (await kernel.spawn()).send('one')).text).toBe('cheap: one');
    await expect(start({ processor: 'cheep' })).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: 'processors: cheap',
    });
    await expect(start({ processors: { main: speaker('x') } })).rejects.toMatchObject({ code: 'E_CONFIG' });
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
