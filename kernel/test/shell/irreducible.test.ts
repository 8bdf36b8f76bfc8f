/** What must be sent is larger than the budget: the turn says so, nothing is lost, and there are many ways out. */
import type { RecallDriver } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Process } from '../../src/index.js';
import { countPiece } from '../support/count.js';
import { keptOpen } from '../support/recall.js';
import { onEachStore } from '../support/stores.js';
import {
  answers,
  ask,
  hasResults,
  lastUser,
  startKernel,
  type Stack,
  type StackOptions,
  tell,
  withProcess,
} from '../support/stack.js';
import { textOf } from '../support/words.js';

const SMALL = 6_000;
const LARGE = 20_000;

const bulky = defineTool({
  name: 'bulky',
  help: textOf(8_000, 'help'),
  parameters: z.object({}),
  effect: 'pure',
  run: async () => 'done',
});

interface Life {
  readonly recall: RecallDriver;
  readonly pid: string;
}

/** A process that lives in a large window first. */
async function begin(
  { recall = keptOpen(), ...options }: StackOptions,
  work: (process: Process) => Promise<unknown>,
): Promise<Life> {
  const { kernel } = await startKernel({ window: LARGE, ...options, recall });
  const process = await kernel.spawn();
  await work(process);
  await kernel.close();
  return { recall, pid: process.pid };
}

/** Opens it in another kernel, and closes that when `work` is done. */
async function goOn<T>(
  { recall, pid }: Life,
  options: StackOptions,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const started = await startKernel({ script: { window: LARGE, maxOutput: 1_000 }, ...options, recall });
  try {
    return await work(withProcess(started, await started.kernel.open(pid)));
  } finally {
    await started.kernel.close();
  }
}

async function expectStuck({ process }: Stack, message: string): Promise<void> {
  const result = await process.send(message);
  expect(result).toMatchObject({ outcome: 'failed', failure: { code: 'E_CONTEXT_IRREDUCIBLE' } });
  expect(result.failure?.message).toMatch(/tokens must be sent, the budget is \d+/);
  expect(result.failure?.hint).toMatch(/unpin pages, offer fewer tools, or use a larger window/);
}

/** It answers, the model sees what was said while it was stuck, and all of it is in recall once. */
async function expectWell(stack: Stack, ...said: readonly string[]): Promise<void> {
  const { text, outcome } = await stack.process.send('are you there?');
  expect({ text, outcome }).toEqual({ text: 'answer to: are you there?', outcome: 'answered' });
  const sent = JSON.stringify(stack.processor.requests.at(-1)?.messages);
  for (const message of said) expect(sent).toContain(message);
  const texts = await stack.texts();
  for (const message of said) expect(texts.filter((one) => one === message)).toHaveLength(1);
}

const bigBlock = { name: 'human', value: textOf(5_000, 'note'), limit: 50_000 };

onEachStore('a process whose irreducible part is over the budget', (createRecall) => {
  it('works again when a block is removed, and stays well over a restart', async () => {
    const life = await begin({ recall: keptOpen(createRecall()) }, (process) =>
      process.blocks.add(bigBlockAs('extra')),
    );
    await goOn(life, { window: SMALL }, async (stack) => {
      await expectStuck(stack, 'one');
      await stack.process.blocks.remove('extra');
    });
    await goOn(life, { window: SMALL }, (stack) => expectWell(stack, 'one'));
  });
});

describe('a process whose irreducible part is over the budget', () => {
  it('says so at every message, sends nothing, and keeps what was said (A46, gap 1)', async () => {
    const life = await begin({}, (process) => process.blocks.add(bigBlockAs('extra')));
    await goOn(life, { window: SMALL }, async (stack) => {
      for (const message of ['one', 'two', 'three']) await expectStuck(stack, message);
      expect(stack.processor.requests).toEqual([]);
      const log = await stack.log();
      const said = log.filter(({ message }) => !message.notice).map(({ message }) => message.parts);
      expect(said).toEqual(['one', 'two', 'three'].map((text) => [{ type: 'text', text }]));
    });
  });

  it.each(['classic', 'stable'] as const)(
    'works again when a block is shortened from outside (%s)',
    async (layout) => {
      const life = await begin({ layout }, (process) => process.blocks.add(bigBlockAs('extra')));
      await goOn(life, { layout, window: SMALL }, async (stack) => {
        await expectStuck(stack, 'one');
        await stack.process.blocks.set('extra', 'short now');
        await expectWell(stack, 'one');
      });
    },
  );

  it('works again in a larger window', async () => {
    const life = await begin({}, (process) => process.blocks.add(bigBlockAs('extra')));
    await goOn(life, { window: SMALL }, (stack) => expectStuck(stack, 'one'));
    await goOn(life, {}, (stack) => expectWell(stack, 'one'));
  });

  it('works again with fewer tools', async () => {
    const life = await begin({}, (process) => process.send('hello'));
    await goOn(life, { window: SMALL, tools: [bulky] }, (stack) => expectStuck(stack, 'one'));
    await goOn(life, { window: SMALL }, (stack) => expectWell(stack, 'one'));
  });

  it('works again on another processor, which counts less', async () => {
    const life = await begin({}, (process) => process.blocks.add(bigBlockAs('extra', 4_000)));
    await goOn(life, counting({ window: SMALL }), (stack) => expectStuck(stack, 'one'));
    const terse = { script: { window: SMALL, maxOutput: 1_000, model: 'terse' }, count: 0.5 };
    await goOn(life, counting(terse), (stack) => expectWell(stack, 'one'));
  });

  it('works again when pins are given up that are too small to be stubs, or to be dropped with a notice', async () => {
    // Together 108 tokens: enough for the next request, but not for it and the notice that would tell of them.
    const handles = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'];
    const options = counting({ layout: 'classic', window: LARGE });
    const life = await begin(options, async (process) => {
      await process.append([...handles.map((mark) => ({ text: textOf(18, mark) })), { text: 'between' }]);
      for (const handle of handles) await process.pin(handle);
    });
    await goOn(life, options, async (stack) => {
      const { process } = stack;
      await process.blocks.add({ name: 'extra', limit: 100_000 });
      const { pressure, budget } = await process.map();
      await process.blocks.set('extra', textOf(budget.tokens - pressure + 30, 'x'));
      await expectStuck(stack, 'one');
      expect((await process.map()).pages.filter(({ pinned }) => pinned)).toHaveLength(handles.length);
      for (const handle of handles) await process.unpin(handle);
      expect((await process.send('are you there?')).outcome).toBe('answered');
      expect(await stack.texts()).toContain('one');
    });
  });

  it('keeps what is fed to it, says that it is too much, and takes it in no second time', async () => {
    const life = await begin({}, (process) => process.blocks.add(bigBlockAs('extra')));
    const fed = [{ id: 'one', text: 'the first of two' }];
    await goOn(life, { window: SMALL }, async (stack) => {
      await expect(stack.process.append(fed)).rejects.toMatchObject({ code: 'E_CONTEXT_IRREDUCIBLE' });
      await stack.process.blocks.remove('extra');
      expect(await stack.process.append(fed)).toEqual({ appended: 0, skipped: 1 });
      await expectWell(stack, 'the first of two');
    });
  });

  it('keeps its pins while it is stuck, when they could not help', async () => {
    const pinned = textOf(200, 'pinned');
    const life = await begin({}, async (process) => {
      await process.append([{ text: pinned }, { text: 'between' }]);
      await process.pin('m1');
      await process.blocks.add(bigBlockAs('extra'));
    });
    await goOn(life, { window: SMALL }, async (stack) => {
      await expectStuck(stack, 'one');
      await stack.process.blocks.remove('extra');
      await expectWell(stack, 'one', pinned);
      expect((await stack.process.map()).pages.filter((page) => page.pinned)).toHaveLength(1);
    });
  });

  it('is not made in the first place: a program that never fits is refused when it is spawned', async () => {
    const { kernel } = await startKernel({ window: SMALL });
    await expect(kernel.spawn({ blocks: [bigBlock] })).rejects.toMatchObject({
      code: 'E_CONTEXT_IRREDUCIBLE',
    });
    expect(await kernel.list()).toEqual([]);
    await kernel.close();
  });
});

function bigBlockAs(name: string, tokens = 5_000) {
  return { ...bigBlock, name, value: textOf(tokens, 'note') };
}

/** Counts four code points a token, times `count`, so that sizes are exact. */
function counting({ count = 1, ...options }: StackOptions & { readonly count?: number }): StackOptions {
  return { ...options, countPiece: (piece) => Math.ceil(countPiece(piece) * count) };
}

onEachStore('a turn whose every cycle needs a reclaim', (createRecall) => {
  it('ends with its own outcome, and the process goes on (A45, A46)', async () => {
    const read = defineTool({
      name: 'read',
      help: 'Reads a page.',
      parameters: z.object({ n: z.number() }),
      effect: 'pure',
      run: async ({ n }) => `${n} ${textOf(1_000, 'page')}`,
    });
    let n = 0;
    const recall = keptOpen(createRecall());
    const started = await startKernel({
      recall,
      window: SMALL,
      tools: [read],
      limits: { targetShare: 1, keepExchanges: 0, thrashLimit: 3 },
      replies: (request) => {
        if (lastUser(request) !== 'read for ever') return answers(request, 0);
        return ask('read', { n: (n += 1) });
      },
    });
    const stack = withProcess(started, await started.kernel.spawn());
    const result = await stack.process.send('read for ever');
    expect(result.outcome).toBe('thrashing');
    expect(result.cycles).toBeLessThan(20);
    const { pressure, budget, counters } = await stack.process.map();
    expect(counters.flushes).toBeGreaterThan(2);
    expect(pressure).toBeLessThanOrEqual(budget.tokens * 1.3);
    await expectWell(stack, 'read for ever');
    await started.kernel.close();
  });
});

describe('a message larger than the window', () => {
  it.each([3])(
    '%i times as large goes through the whole loop: stub, answer, page_in to its end (gap 5)',
    async (times) => {
      const window = 6_000;
      const text = Array.from({ length: times * window }, (_, n) => `${n % 10} `)
        .join('')
        .trim();
      const requests: number[] = [];
      const started = await startKernel({
        window,
        limits: { maxCycles: 10_000, thrashLimit: 100, maxTurnTokens: 1_000_000_000, repeatLimit: 100 },
        onRequest: (_, __, tokens) => requests.push(tokens),
        replies: (request) => {
          if (!hasResults(request)) return ask('page_in', { handle: 'm1' });
          const last = request.messages.findLast(({ role }) => role === 'tool')?.parts[0];
          const next = /next offset (\d+)/.exec(last?.type === 'result' ? last.text : '')?.[1];
          return next === undefined
            ? tell('read it all')
            : ask('page_in', { handle: 'm1', offset: Number(next) });
        },
      });
      const stack = withProcess(started, await started.kernel.spawn());
      expect(await stack.process.send(text)).toMatchObject({ outcome: 'answered', text: 'read it all' });
      const { budget } = await stack.process.map();
      expect(Math.max(...requests)).toBeLessThanOrEqual(budget.tokens);
      expect((await stack.texts())[0]).toBe(text);
      expect((await stack.process.send('and now?')).outcome).toBe('answered');
      await started.kernel.close();
    },
  );
});
