import { createMemoryRecall } from '@pagefault/driver-memory';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { defineTool, type Tool } from '../../src/index.js';
import { faultyRecall, keptOpen, type Fate } from '../support/recall.js';
import {
  ask,
  FEW_SYSCALLS,
  hasResults,
  lastUser,
  type StackOptions,
  startKernel,
  startProcess,
  tell,
  withProcess,
} from '../support/stack.js';
import { textOf } from '../support/words.js';

/** A store that is gone from the n-th commit on: for a kernel that is abandoned, as by kill -9. */
function dying(n: number, fate: Fate) {
  const base = keptOpen();
  let dead = false;
  const recall = faultyRecall((count) => {
    if (count === n) dead = true;
    return count === n ? fate : dead ? 'fail-before' : 'pass';
  }, base);
  return { base, recall, isDead: () => dead };
}

const story: StackOptions = {
  window: 3_000,
  syscalls: FEW_SYSCALLS,
  program: { instructions: 'You remember.', blocks: [{ name: 'human' }] },
  replies: (request) => {
    if (!hasResults(request))
      return ask('core_memory_append', { name: 'human', content: lastUser(request).slice(0, 5) });
    return tell(`answer to: ${lastUser(request).slice(0, 8)}`);
  },
};

describe('a kernel that dies at any commit, before or after it is written', () => {
  it.each(['fail-before', 'fail-after'] as const)(
    '%s: all that was acknowledged is answered once, after a restart (gap 7)',
    async (fate) => {
      for (let n = 2; n < 40; n++) {
        const { base, recall, isDead } = dying(n, fate);
        const first = await startProcess({ ...story, recall });
        const acknowledged: string[] = [];
        first.kernel.bus.on('interrupt-delivered', ({ interruptId }) => void acknowledged.push(interruptId));
        for (let k = 0; k < 6 && !isDead(); k++)
          await first.process.send({ id: `q${k}`, text: `${k} ${textOf(120)}` }).catch(() => undefined);

        const started = await startKernel({ ...story, recall: base });
        const second = withProcess(started, await started.kernel.open(first.process.pid));
        await second.process.resume();
        const log = await second.log();
        for (const id of acknowledged) {
          const result = await second.process.send({ id, text: 'again' });
          expect(result).toMatchObject({
            outcome: 'answered',
            text: `answer to: ${id.slice(1)} ${'x '.repeat(3)}`.trimEnd(),
          });
          expect(log.filter(({ message }) => message.id === id)).toHaveLength(1);
        }
        expect(await second.log()).toHaveLength(log.length);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
        expect((await second.process.map()).blocks[0]?.value.match(/.+/g) ?? []).toHaveLength(
          log.filter(({ message }) => message.role === 'user').length,
        );
        await started.kernel.close();
        if (!isDead()) break;
      }
    },
  );
});

describe('a function call that a crash cut off', () => {
  async function crashed(effect: Tool['effect']) {
    let ran = 0;
    const tool = defineTool({
      name: 'pay',
      help: 'Pays.',
      parameters: z.object({}),
      effect,
      run: async () => `payment ${(ran += 1)}`,
    });
    // The call's result is the fifth commit: birth, inbox, message, reply, result.
    const { base, recall } = dying(5, 'fail-before');
    const options: StackOptions = {
      tools: [tool],
      replies: (request) => (hasResults(request) ? tell('done') : ask('pay')),
    };
    const first = await startProcess({ ...options, recall });
    await expect(first.process.send({ id: 'x', text: 'pay' })).rejects.toMatchObject({ code: 'E_STORAGE' });
    const started = await startKernel({ ...options, recall: base });
    const second = withProcess(started, await started.kernel.open(first.process.pid));
    const result = await second.process.send({ id: 'x', text: 'pay' });
    const texts = await second.texts();
    await started.kernel.close();
    return { ran, result, texts };
  }

  it('runs again when it may (C08)', async () => {
    const { ran, result, texts } = await crashed('idempotent');
    expect(ran).toBe(2);
    expect(result).toMatchObject({ outcome: 'answered', text: 'done' });
    expect(texts).toContain('payment 2');
  });

  it('never runs again when it is once, and the model is told (C08)', async () => {
    const { ran, result, texts } = await crashed('once');
    expect(ran).toBe(1);
    expect(result.outcome).toBe('answered');
    expect(texts.join()).toContain('Outcome unknown');
  });
});

describe('a process that is opened again', () => {
  it('goes on with its blocks, its summary and its queue', async () => {
    const recall = createMemoryRecall();
    const first = await startProcess({ ...story, recall });
    for (let k = 0; k < 8; k++) await first.process.send(`${k} ${textOf(120)}`);
    const before = await first.process.map();
    expect(before.counters.flushes).toBeGreaterThan(0);
    await first.kernel.close();
    const started = await startKernel({ ...story, recall });
    expect(await started.kernel.inspect(first.process.pid)).toEqual(before);
    expect(await (await started.kernel.open(first.process.pid)).map()).toEqual(before);
    await started.kernel.close();
  });

  it('that there is not is an error that says where to look', async () => {
    const { kernel } = await startKernel();
    await expect(kernel.open("x'; drop table")).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    expect(await kernel.find('nobody')).toBeUndefined();
    await kernel.close();
  });
});
