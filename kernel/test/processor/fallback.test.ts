import {
  type ErrorCode,
  type InferRequest,
  PagefaultError,
  type ProcessorDriver,
  type Reply,
  type ReplyRoute,
} from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import {
  createScriptedProcessor,
  type ScriptedOptions,
  type ScriptedReply,
} from '@pagefault/driver-processor-scripted';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boot, fallback, type FallbackOptions } from '../../src/index.js';
import { FEW_SYSCALLS, gate, lastUser, tell } from '../support/stack.js';

const request: InferRequest = { tools: [], system: '', messages: [], maxOutput: 100 };

const failing = (code: ErrorCode, before: object = {}): ScriptedReply => ({
  ...before,
  error: new PagefaultError(code, `${code} of the test`),
});

function scripted(name: string, options: Partial<ScriptedOptions> = {}) {
  return createScriptedProcessor({ replies: () => `${name} says`, name, model: name, ...options });
}

async function opened(members: readonly ProcessorDriver[], options: FallbackOptions = {}) {
  const processor = fallback(members, { names: members.map(({ name }) => name), ...options });
  await processor.open();
  return processor;
}

async function infer(processor: ProcessorDriver, signal?: AbortSignal): Promise<Reply> {
  for await (const event of processor.infer(request, signal)) if (event.type === 'finish') return event.reply;
  throw new Error('no finish');
}

const textOf = ({ parts }: Reply) => parts.map((part) => ('text' in part ? part.text : '')).join('');

describe('a fallback', () => {
  it.each<ErrorCode>(['E_OVERLOADED', 'E_TIMEOUT', 'E_RATE_LIMITED', 'E_AUTH', 'E_PROTOCOL'])(
    'asks the next when one fails with %s before it said anything, and tells who answered and why (C13, C16)',
    async (code) => {
      const main = scripted('main', { replies: [failing(code)] });
      const reply = await infer(await opened([main, scripted('backup')]));
      expect(textOf(reply)).toBe('backup says');
      expect(reply.route).toEqual({
        answeredBy: 'backup',
        passedOver: [{ name: 'main', code, message: `${code} of the test` }],
      });
    },
  );

  it.each<ErrorCode>(['E_CONTEXT_OVERFLOW', 'E_REFUSED', 'E_REQUEST', 'E_ABORTED'])(
    'does not ask the next after %s: it would fare no better (C18)',
    async (code) => {
      const backup = scripted('backup');
      const processor = await opened([scripted('main', { replies: [failing(code)] }), backup]);
      await expect(infer(processor)).rejects.toMatchObject({ code });
      expect(backup.requests).toEqual([]);
    },
  );

  it('does not ask the next once something was given out: half an answer is not begun anew (C14)', async () => {
    const main = scripted('main', { replies: [failing('E_OVERLOADED', { text: 'Half of' })] });
    const backup = scripted('backup');
    const processor = await opened([main, backup]);
    await expect(infer(processor)).rejects.toMatchObject({ code: 'E_OVERLOADED' });
    expect(backup.requests).toEqual([]);
    expect((await infer(processor)).route?.passedOver[0]?.code).toBe('E_OVERLOADED');
  });

  it('passes over one that failed for a minute, then asks it again', async () => {
    let now = 0;
    const main = scripted('main', {
      replies: (_, n) => (n === 0 ? failing('E_TIMEOUT') : 'main is back'),
    });
    const processor = await opened([main, scripted('backup')], { now: () => now });
    const texts: string[] = [];
    for (const at of [0, 1, 59_999, 60_000, 60_001]) {
      now = at;
      texts.push(textOf(await infer(processor)));
    }
    expect(texts).toEqual(['backup says', 'backup says', 'backup says', 'main is back', 'main is back']);
    expect(main.requests.length).toBe(3);
  });

  it('asks those that rest when nobody else can answer, and says of all why not', async () => {
    let isDown = true;
    const main = scripted('main', { replies: () => (isDown ? failing('E_OVERLOADED') : 'main says') });
    const backup = scripted('backup', { replies: () => failing('E_AUTH') });
    const processor = await opened([main, backup], { now: () => 0 });
    await expect(infer(processor)).rejects.toMatchObject({
      code: 'E_OVERLOADED',
      message: expect.stringMatching(/none of 2 .* main: E_OVERLOADED .*; backup: E_AUTH /),
    });
    isDown = false;
    expect((await infer(processor)).route).toEqual({
      answeredBy: 'main',
      passedOver: [{ name: 'backup', code: 'E_AUTH', message: 'E_AUTH of the test' }],
    });
  });

  it('is stopped by its signal, and asks nobody else then', async () => {
    const { opened: never } = gate();
    const main = scripted('main', { replies: [{ text: 'late', before: never }] });
    const backup = scripted('backup');
    const processor = await opened([main, backup]);
    const stop = new AbortController();
    const reply = infer(processor, stop.signal);
    stop.abort();
    await expect(reply).rejects.toMatchObject({ code: 'E_ABORTED' });
    expect(backup.requests).toEqual([]);
  });

  it('can take what all can take: the least window and output, the largest counts', async () => {
    const count = (size: number) => async (pieces: readonly unknown[]) => pieces.map(() => size);
    const wide = { ...scripted('wide', { window: 9_000, maxOutput: 100, images: true }), count: count(3) };
    const narrow = { ...scripted('narrow', { window: 5_000, maxOutput: 900 }), count: count(7) };
    const processor = await opened([wide, narrow]);
    expect(processor.supports).toEqual({
      model: 'wide,narrow',
      window: 5_000,
      maxOutput: 100,
      parallelCalls: true,
      images: false,
    });
    expect(Object.isFrozen(processor.supports)).toBe(true);
    expect(await processor.count([{ kind: 'system', text: 'x' }])).toEqual([7]);
  });

  it('opens and closes all, and those that were opened when one fails to', async () => {
    const states: string[] = [];
    const noted = (name: string, fails = false): ProcessorDriver => ({
      ...scripted(name),
      open: async () => {
        states.push(`open ${name}`);
        if (fails) throw new PagefaultError('E_CONFIG', 'no SDK');
      },
      close: async () => void states.push(`close ${name}`),
    });
    await (await opened([noted('a'), noted('b')])).close();
    expect(states.splice(0)).toEqual(['open a', 'open b', 'close a', 'close b']);
    await expect(opened([noted('a'), noted('b', true)])).rejects.toMatchObject({ code: 'E_CONFIG' });
    expect(states).toEqual(['open a', 'open b', 'close a', 'close b']);
  });

  it('is refused without processors, or with names that do not fit them', () => {
    expect(() => fallback([])).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
    const both = [scripted('a'), scripted('b')];
    for (const names of [['a'], ['a', 'a']])
      expect(() => fallback(both, { names })).toThrow(expect.objectContaining({ code: 'E_CONFIG' }));
  });
});

describe('a process on a fallback', () => {
  it('is told of on the bus: who answered, and why the others did not', async () => {
    const main = scripted('main', { replies: () => failing('E_RATE_LIMITED') });
    const backup = scripted('backup', { replies: (asked) => tell(`backup: ${lastUser(asked)}`) });
    const processor = fallback([main, backup], { names: ['main', 'backup'] });
    await using kernel = await boot({ recall: createMemoryRecall(), processor });
    const routes: ReplyRoute[] = [];
    kernel.bus.on('processor-routed', (route) => void routes.push(route));
    const agent = await kernel.spawn();
    expect((await agent.send('one')).text).toBe('backup: one');
    expect(routes).toEqual([
      {
        pid: agent.pid,
        answeredBy: 'backup',
        passedOver: [{ name: 'main', code: 'E_RATE_LIMITED', message: 'E_RATE_LIMITED of the test' }],
      },
    ]);
  });

  it('whatever fails and however, each message ends its turn once, and is answered where anybody could', async () => {
    const fates = ['ok', 'E_OVERLOADED', 'E_TIMEOUT', 'E_REQUEST', 'half', 'no-finish'] as const;
    const fate = fc.constantFrom(...fates);
    const plan = fc.array(fc.tuple(fate, fate, fate), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(plan, async (rounds) => {
        let round = 0;
        const replies = (index: number) => (asked: InferRequest) => fated(rounds[round]?.[index], asked);
        const members = [0, 1, 2].map((index) =>
          scripted(`p${index}`, { replies: replies(index), idPrefix: `p${index}_` }),
        );
        let now = 0;
        const processor = fallback(members, { now: () => (now += 20_000) });
        const recall = createMemoryRecall();
        await using kernel = await boot({ recall, processor, syscalls: FEW_SYSCALLS });
        const agent = await kernel.spawn();
        let results = 0;
        kernel.bus.on('turn-result', () => (results += 1));
        for (; round < rounds.length; round++) {
          const result = await agent.send(`message ${round}`);
          const all: readonly string[] = rounds[round] ?? [];
          if (result.outcome === 'answered') expect(result.text).toBe(`answer to message ${round}`);
          else expect(result.outcome).toBe('failed');
          if (all.every((one) => one === 'ok' || one.startsWith('E_O') || one.startsWith('E_T')))
            expect(result.outcome).toBe(all.includes('ok') ? 'answered' : 'failed');
        }
        expect(results).toBe(rounds.length);
      }),
      { numRuns: Number(process.env['PAGEFAULT_RUNS'] ?? 40) },
    );
  }, 120_000);
});

function fated(fate: string | undefined, asked: InferRequest): ScriptedReply {
  if (fate === 'half') return { text: 'Half of', broken: 'half' };
  if (fate === 'no-finish') return { broken: 'no-finish' };
  if (fate?.startsWith('E_')) return failing(fate as ErrorCode);
  return tell(`answer to ${lastUser(asked)}`);
}
