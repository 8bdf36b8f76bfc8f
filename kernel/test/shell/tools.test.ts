import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Tool, type ToolContext } from '../../src/index.js';
import { turnOfTheLoop } from '../support/recall.js';
import {
  ask,
  gate,
  hasResults,
  lastResult,
  type StackOptions,
  startKernel,
  startProcesses,
  tell,
} from '../support/stack.js';
import { getEventListeners } from 'node:events';

const startProcess = startProcesses();

function tool(
  run: (args: Record<string, unknown>, context: ToolContext) => Promise<unknown>,
  change: Partial<Tool> = {},
): Tool {
  return { name: 'act', help: 'Acts.', parameters: z.object({}), effect: 'pure', run, ...change };
}

/** Calls `act` once with these arguments, and answers with its result. */
function acting(one: Tool, args: object | string = {}): StackOptions {
  const text = typeof args === 'string' ? args : JSON.stringify({ ...args, request_heartbeat: true });
  return {
    tools: [one],
    replies: (request) =>
      hasResults(request) ? tell(lastResult(request)) : { calls: [{ name: 'act', arguments: text }] },
  };
}

describe('a tool', () => {
  it('gets its checked arguments, the call id, the fence and a signal', async () => {
    let seen: unknown;
    const typed = defineTool({
      name: 'act',
      help: 'Acts.',
      parameters: z.object({ city: z.string(), days: z.number().default(3) }),
      effect: 'pure',
      run: async (args, context) => {
        seen = { args, ...context };
        return { ok: true };
      },
    });
    const { process } = await startProcess(acting(typed, { city: 'Cork' }));
    expect((await process.send('go')).text).toBe('{"ok":true}');
    expect(seen).toMatchObject({
      args: { city: 'Cork', days: 3 },
      callId: expect.any(String),
      fence: expect.any(Number),
    });
    expect((seen as ToolContext).signal).toBeInstanceOf(AbortSignal);
  });

  it('with a strict schema takes a call though the dialect adds a heartbeat', async () => {
    const strict = tool(async (args) => JSON.stringify(args), {
      parameters: z.strictObject({ a: z.number() }),
    });
    const { process } = await startProcess(acting(strict, { a: 1 }));
    expect((await process.send('go')).text).toBe('{"a":1}');
  });

  it('gets a large integer with all its digits (A28)', async () => {
    let seen: unknown;
    const exact = tool(async ({ id }) => ((seen = id), { id }), {
      parameters: z.object({ id: z.coerce.bigint() }),
    });
    const { process, processor } = await startProcess(
      acting(exact, '{"id":2512292042121000001,"request_heartbeat":true}'),
    );
    expect((await process.send('go')).text).toBe('{"id":"2512292042121000001"}');
    expect(seen).toBe(2512292042121000001n);
    expect(processor.requests[0]?.tools.find(({ name }) => name === 'act')?.parameters).toMatchObject({
      properties: { id: { type: 'integer' } },
    });
    expect(JSON.stringify(processor.requests[1]?.messages)).toContain('2512292042121000001');
  });

  it('without parameters runs when no arguments were written (A27)', async () => {
    const { process } = await startProcess(
      acting(
        tool(async () => 'ran'),
        '{}',
      ),
    );
    expect((await process.send('go')).text).toBe('ran');
  });

  it.each([
    ['throws', async () => Promise.reject(new Error('no such host')), 'Error: no such host'],
    ['throws no error', async () => Promise.reject('plain'), 'Error: plain'],
    ['gives nothing', async () => undefined, '(no output)'],
    ['gives what JSON cannot hold', async () => () => 1, '(no output)'],
    [
      'gives a ring',
      async () => ((ring) => (ring['me'] = ring))({} as Record<string, unknown>),
      expect.stringMatching(/^Error: .*circular/i),
    ],
    ['gives what no store keeps', async () => 'a\u0000b\ud800', 'ab\ufffd'],
  ])('that %s comes to a result that the model reads (A10)', async (_, run, text) => {
    const { process } = await startProcess(acting(tool(run)));
    expect(await process.send('go')).toMatchObject({ outcome: 'answered', text });
  });

  it('is told what is wrong with its arguments, and does not run', async () => {
    let ran = 0;
    const picky = tool(async () => (ran += 1), { parameters: z.object({ city: z.string() }) });
    const { process } = await startProcess(acting(picky, { city: 7 }));
    expect((await process.send('go')).text).toMatch(/^Error: The arguments of act are wrong: city: /);
    expect(ran).toBe(0);
  });

  it('that takes too long is left behind, with an error that names the limit', async () => {
    const stuck = tool(() => new Promise(() => undefined));
    const { process } = await startProcess({ ...acting(stuck), limits: { callTimeoutMs: 20 } });
    expect((await process.send('go')).text).toBe('Error: act was stopped (limit 20 ms)');
  });

  it('is stopped with its turn, and its late result goes nowhere (C20, C26)', async () => {
    const started = gate();
    const late = gate();
    const { process, log } = await startProcess(
      acting(
        tool(async () => {
          started.open();
          await late.opened;
          return 'too late';
        }),
      ),
    );
    const stop = new AbortController();
    const sent = process.send('go', { signal: stop.signal });
    await started.opened;
    stop.abort();
    expect((await sent).outcome).toBe('interrupted');
    late.open();
    await turnOfTheLoop();
    expect(JSON.stringify(await log())).not.toContain('too late');
    expect((await process.send('again', { signal: AbortSignal.timeout(60_000) })).text).toBe('too late');
  });

  it('that is not known is answered with the names that are', async () => {
    const { process } = await startProcess({
      replies: (request) => (hasResults(request) ? tell(lastResult(request)) : ask('serach')),
    });
    expect((await process.send('go')).text).toMatch(
      /^Error: There is no function "serach"\. Functions: send_message, .*page_in/,
    );
  });

  it('with an illegal or a taken name is refused at boot', async () => {
    for (const name of ['', 'a b', 'x'.repeat(65), 'send_message', 'page_in']) {
      await expect(startKernel({ tools: [tool(async () => '', { name })] })).rejects.toMatchObject({
        code: 'E_CONFIG',
      });
    }
    const twice = [tool(async () => ''), tool(async () => '')];
    await expect(startKernel({ tools: twice })).rejects.toMatchObject({ code: 'E_CONFIG' });
  });
});

describe('stopping', () => {
  it('by the caller ends the turn as interrupted, keeps what was shown, and the next turn works (C14, C20)', async () => {
    const stop = new AbortController();
    const { process, texts, kernel } = await startProcess({
      replies: (_, n) =>
        n === 0
          ? {
              calls: [{ name: 'send_message', arguments: { message: 'The answer is forty' } }],
              broken: 'hang',
            }
          : tell('next'),
    });
    let shown = '';
    kernel.bus.on('delta', ({ text }) => {
      shown += text;
      if (shown.length > 9) stop.abort();
    });
    expect((await process.send('go', { signal: stop.signal })).outcome).toBe('interrupted');
    expect('The answer is forty'.startsWith(shown)).toBe(true);
    expect(await texts()).toEqual(['go', shown, expect.stringContaining('not complete')]);
    expect((await process.send('go on')).text).toBe('next');
  });

  it('before a turn began stops it too', async () => {
    const { process } = await startProcess();
    expect((await process.send('go', { signal: AbortSignal.abort() })).outcome).toBe('interrupted');
    expect((await process.send('go on')).outcome).toBe('answered');
  });

  it('leaves no listener on a signal that outlives the calls (C19)', async () => {
    const { process } = await startProcess();
    const { signal } = new AbortController();
    for (let n = 0; n < 50; n++) await process.send(`message ${n}`, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('an answer while it is written', () => {
  it('is shown in pieces that join to it, never cut in a character', async () => {
    const message = 'Grüße, "Ada" \\ 🦙🦙\nund 漢字 \u2028 Ende';
    const { process, kernel } = await startProcess({ replies: () => tell(message) });
    const deltas: string[] = [];
    kernel.bus.on('delta', ({ text }) => void deltas.push(text));
    expect((await process.send('go')).text).toBe(message);
    expect(deltas.join('')).toBe(message);
    expect(deltas.length).toBeGreaterThan(1);
    for (const delta of deltas) expect(delta.isWellFormed()).toBe(true);
  });
});

describe('the bus', () => {
  it('keeps a listener that throws or rejects from the others, and says so (C30)', async () => {
    const { process, kernel } = await startProcess();
    const failed: unknown[] = [];
    const seen: string[] = [];
    kernel.bus.on('turn-ended', () => {
      throw new Error('thrown');
    });
    kernel.bus.on('turn-ended', async () => Promise.reject(new Error('rejected')));
    kernel.bus.on('turn-ended', ({ outcome }) => void seen.push(outcome));
    kernel.bus.on('listener-failed', ({ error }) => void failed.push(error));
    kernel.bus.on('listener-failed', () => {
      throw new Error('again');
    });
    expect((await process.send('go')).outcome).toBe('answered');
    await turnOfTheLoop();
    expect(seen).toEqual(['answered']);
    expect(failed.map(String).toSorted()).toEqual(['Error: rejected', 'Error: thrown']);
  });

  it('has no listeners left after they left (C19)', async () => {
    const { kernel } = await startProcess();
    const leave = [kernel.bus.on('request', () => undefined), kernel.bus.on('request', () => undefined)];
    expect(kernel.bus.listenerCount('request')).toBe(2);
    for (const one of leave) one();
    expect(kernel.bus.listenerCount('request')).toBe(0);
  });
});

describe('a processor that breaks its protocol', () => {
  it.each(['no-finish', 'half', 'two-finishes'] as const)(
    '%s ends the turn with an outcome, and the next one works',
    async (broken) => {
      const { process } = await startProcess({
        replies: (_, n) => (n === 0 ? { text: 'a few words', broken } : tell('fine')),
      });
      const first = await process.send('go');
      expect(first.outcome).toBe(broken === 'two-finishes' ? 'answered' : 'failed');
      expect((await process.send('go on')).text).toBe('fine');
    },
  );

  it.each([undefined, null, {}, { parts: 'x' }, { parts: [] }])(
    'with a reply that is none ends the turn with an outcome: %j',
    async (reply) => {
      const { createScriptedProcessor } = await import('@pagefault/driver-processor-scripted');
      const base = createScriptedProcessor({ replies: [] });
      const { process } = await startProcess({
        processor: {
          ...base,
          async *infer() {
            yield { type: 'finish', reply: reply as never };
          },
        },
      });
      expect(await process.send('go')).toMatchObject({ outcome: 'failed', failure: { code: 'E_PROTOCOL' } });
    },
  );

  it.each([[[]], [[Number.NaN]], [[-1]], [[1, 2, 3, 4, 5, 6, 7, 8, 9]]])(
    'with counts that are none is an error: %j',
    async (counts) => {
      const { createScriptedProcessor } = await import('@pagefault/driver-processor-scripted');
      const base = createScriptedProcessor({ replies: [] });
      const { kernel } = await startKernel({ processor: { ...base, count: async () => counts } });
      await expect(kernel.spawn()).rejects.toMatchObject({ code: 'E_PROTOCOL' });
      await kernel.close();
    },
  );
});

describe('the functions of the kernel that are offered', () => {
  it('are those that were asked for, and always the one to speak with', async () => {
    const { kernel, process, processor } = await startProcess({ syscalls: ['conversation_search'] });
    await process.send('hello');
    const names = processor.requests[0]?.tools.map(({ name }) => name);
    expect(names).toEqual(['send_message', 'conversation_search']);
    await kernel.close();
  });

  it('are named when one is asked for that there is not', async () => {
    await expect(startProcess({ syscalls: ['page_out'] })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('page_out'),
      hint: expect.stringContaining('page_in'),
    });
  });
});
