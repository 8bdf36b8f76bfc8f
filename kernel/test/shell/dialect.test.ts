import { createMemoryRecall } from '@pagefault/driver-memory';
import { createReflexProcessor } from '@pagefault/driver-processor-scripted';
import { describe, expect, it } from 'vitest';
import { boot } from '../../src/boot.js';
import { requestHash } from '../../src/shell/recordings/recording.js';
import { rerun } from '../../src/shell/recordings/rerun.js';
import type { RecordingLine } from '../../src/core/recording.js';
import { MEMGPT_PROGRAM, NATIVE_PROGRAM } from '../../src/program.js';
import { extractive } from '../../src/summariser/extractive.js';
import { recordedIn } from '../support/recording.js';
import { ask, hasResults, startKernel, startProcesses, tell, withProcess } from '../support/stack.js';

const startProcess = startProcesses();

function deltasOf({ kernel }: Pick<Awaited<ReturnType<typeof startKernel>>, 'kernel'>): string[] {
  const deltas: string[] = [];
  kernel.bus.on('delta', ({ text }) => deltas.push(text));
  return deltas;
}

const look = { text: 'Let me see.', calls: [{ name: 'conversation_search', arguments: { query: 'x' } }] };

describe('deltas', () => {
  it('show all text under `native`, also beside calls', async () => {
    const stack = await startProcess({ dialect: 'native', replies: [look, 'There is nothing.'] });
    const deltas = deltasOf(stack);
    const { text } = await stack.process.send('hello');
    expect(text).toBe('Let me see.\n\nThere is nothing.');
    expect(deltas.join('')).toBe('Let me see.There is nothing.');
    expect(deltas.length).toBeGreaterThan(2);
  });

  it('show only what is sent under `memgpt`', async () => {
    const calls = look.calls.map((one) => ({
      ...one,
      arguments: { ...one.arguments, request_heartbeat: true },
    }));
    const stack = await startProcess({ replies: [{ ...look, calls }, tell('There is nothing.')] });
    const deltas = deltasOf(stack);
    await stack.process.send('hello');
    expect(deltas.join('')).toBe('There is nothing.');
  });

  it('that were shown are kept when the stream breaks off (C20)', async () => {
    const stack = await startProcess({
      dialect: 'native',
      replies: [{ text: 'Half of an answer', broken: 'half' }],
    });
    const deltas = deltasOf(stack);
    expect((await stack.process.send('hello')).outcome).toBe('failed');
    expect((await stack.texts())[1]).toBe(deltas.join(''));
  });
});

describe('what the model is offered', () => {
  it('follows the dialect: program, functions and flag', async () => {
    const { process, processor } = await startProcess({ dialect: 'native', replies: ['Hello.'] });
    await process.send('hello');
    const [request] = processor.requests;
    expect(request?.system).toBe(NATIVE_PROGRAM);
    expect(request?.tools.map(({ name }) => name)).not.toContain('send_message');
    expect(JSON.stringify(request?.tools)).not.toContain('request_heartbeat');
  });

  it('changes for a process that was stored under another dialect and layout, and it goes on', async () => {
    const recall = createMemoryRecall();
    const first = await startKernel({ recall, layout: 'classic' });
    const { pid } = await first.kernel.spawn();
    await (await first.kernel.open(pid)).send('hello');
    expect(first.processor.requests.at(-1)?.system.startsWith(MEMGPT_PROGRAM)).toBe(true);
    await first.kernel.close();
    const second = await startKernel({ recall, dialect: 'native', replies: ['Hello again.'] });
    const stack = withProcess(second, await second.kernel.open(pid));
    expect(await stack.process.send('hello')).toMatchObject({ outcome: 'answered', text: 'Hello again.' });
    const request = second.processor.requests.at(-1);
    expect(request?.system).toBe(NATIVE_PROGRAM);
    expect(request?.messages[0]?.id).toBe('blocks');
    await second.kernel.close();
  });

  it('is refused at boot when it has an unknown name, before anything is opened', async () => {
    let opened = 0;
    const recall = createMemoryRecall();
    const counting = { ...recall, open: async () => void (opened += 1) };
    const processor = createReflexProcessor();
    for (const wrong of [{ layout: 'clasic' }, { dialect: 'natve' }]) {
      const options = { recall: counting, processor, ...(wrong as object) };
      await expect(boot(options)).rejects.toMatchObject({ code: 'E_CONFIG' });
    }
    expect(opened).toBe(0);
  });
});

describe('a recording', () => {
  it('of a kernel that gave no cache breakpoints has the same hashes', () => {
    const request = { tools: [], system: 'You are.', messages: [], maxOutput: 100 };
    expect(requestHash({ ...request, breakpoints: [0] })).toBe(requestHash(request));
    expect(requestHash({ ...request, system: 'You were.' })).not.toBe(requestHash(request));
  });

  it.each([
    { layout: 'stable', dialect: 'native' },
    { layout: 'classic', dialect: 'memgpt' },
  ] as const)('runs again under its own layout and dialect: %o', async (choice) => {
    const lines: RecordingLine[] = [];
    const write = (line: RecordingLine) => void lines.push(line);
    const record = recordedIn({ write, close: async () => undefined });
    const edit = ask('core_memory_append', { name: 'human', content: 'Breeds alpacas.' });
    // Under `memgpt` the turn is over with this, under `native` the second call asks for another cycle.
    const calls = [
      { name: 'send_message', arguments: { message: 'Noted.' } },
      { name: 'core_memory_append', arguments: { name: 'human', content: 'Lives in Cork.' } },
    ];
    const stack = await startProcess({
      ...choice,
      record,
      script: { window: 4_096, maxOutput: 256 },
      replies: (request, n) =>
        hasResults(request) ? `answer ${n} ${'and more '.repeat(60)}` : n === 0 ? { calls } : edit,
    });
    for (let n = 0; n < 12; n++) {
      await stack.process.send(`question ${n} ${'with words '.repeat(60)}`);
      if (n === 5) await stack.process.blocks.append('persona', 'I am quick.');
    }
    await stack.kernel.close();
    expect(lines[0]).toMatchObject({ type: 'header', config: choice });
    const report = await rerun(lines.map((line) => JSON.stringify(line)));
    expect(report.flushes).toBeGreaterThan(0);
    expect(report.equal).toBe(report.requests);
    expect(report).not.toHaveProperty('firstOtherEvent');
  });
});

describe.each(['memgpt', 'native'] as const)('reflex under %s', (dialect) => {
  it.each(['stable', 'classic'] as const)(
    'knows what was said, also after flushes and edits by others (%s)',
    async (layout) => {
      const processor = createReflexProcessor({ window: 6_144, maxOutput: 400 });
      const kernel = await boot({
        recall: createMemoryRecall(),
        processor,
        summariser: extractive,
        dialect,
        layout,
      });
      const agent = await kernel.spawn();
      await agent.send('My name is Ada and I live in Cork.');
      for (let n = 0; n < 40; n++)
        await agent.send(`The weather report of day ${n}: ${'rain and more rain, '.repeat(12)}`);
      expect((await agent.map()).counters.flushes).toBeGreaterThan(0);
      expect((await agent.send('What is my name?')).text).toContain('My notes about you say: Name: Ada.');
      await agent.blocks.replace('human', 'Lives in: Cork', 'Lives in: Galway');
      const { text } = await agent.send('Where do I live?');
      expect(text).toMatch(/^My notes about you say: Lives in: Galway\.$/m);
      await agent.send('I live in Dublin.');
      expect((await agent.map()).blocks.find(({ name }) => name === 'human')?.value).toBe(
        'Name: Ada\nLives in: Dublin',
      );
      await kernel.close();
    },
  );
});
