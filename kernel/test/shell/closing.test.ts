import { PagefaultError, type RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { boot, type Resource } from '../../src/index.js';
import { keptOpen, slowRecall, turnOfTheLoop } from '../support/recall.js';
import { answers, startKernel, startProcess } from '../support/stack.js';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';

describe('closing', () => {
  it('stops a turn that waits on the model, and stores it as interrupted (C28, C29)', async () => {
    const { kernel, process, recall } = await startProcess({
      replies: [{ text: 'The answer', broken: 'hang' }],
    });
    const sent = process.send({ text: 'hello', id: 'x' });
    await turnOfTheLoop();
    await kernel.close();
    expect((await sent).outcome).toBe('interrupted');
    const again = await startKernel({ recall });
    const reopened = await again.kernel.open(process.pid);
    expect((await reopened.send({ text: 'hello', id: 'x' })).outcome).toBe('interrupted');
    expect((await reopened.send('next')).outcome).toBe('answered');
    await again.kernel.close();
  });

  it('begins no other turn; what waits is in the inbox, and is answered after a restart', async () => {
    const { kernel, process, recall, processor } = await startProcess({
      replies: [{ text: '', broken: 'hang' }],
    });
    const sends = [0, 1, 2].map((n) => process.send({ text: `message ${n}`, id: `m${n}` }));
    const settled = Promise.allSettled(sends);
    await turnOfTheLoop();
    await kernel.close();
    expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(processor.requests).toHaveLength(1);
    const again = await startKernel({ recall });
    const reopened = await again.kernel.open(process.pid);
    await reopened.resume();
    expect(again.processor.requests).toHaveLength(2);
    expect((await reopened.send({ text: 'message 2', id: 'm2' })).text).toBe('answer to: message 2');
    await again.kernel.close();
  });

  it('tells whoever waits for an answer of a process that is held back, and keeps what was sent', async () => {
    const recall = keptOpen();
    const { kernel, process } = await startProcess({ recall });
    await process.pause();
    const sent = process.send({ text: 'hello', id: 'x' });
    while ((await recall.load(process.pid, ['inbox'])).length === 0) await turnOfTheLoop();
    const told = expect(sent).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await kernel.close();
    await told;
    const again = await startKernel({ recall });
    const reopened = await again.kernel.open(process.pid);
    await reopened.resume();
    expect((await reopened.send({ text: 'hello', id: 'x' })).text).toBe('answer to: hello');
    await again.kernel.close();
  });

  it('ends also at any moment while a turn that a crash cut off is gone on with (C29)', async () => {
    for (let moment = 0; moment < 60; moment += 3) {
      const base = keptOpen();
      const first = await startProcess({ recall: base, replies: [{ text: '', broken: 'hang' }] });
      const sent = first.process.send({ text: 'hello', id: 'x' });
      await turnOfTheLoop();
      const second = await startKernel({ recall: base, replies: [{ text: '', broken: 'hang' }] });
      const opening = second.kernel.open(first.process.pid).then((process) => process.map());
      for (let n = 0; n < moment; n++) await Promise.resolve();
      await second.kernel.close();
      // Attached, refused or stopped: which, depends on the moment; that it is settled does not.
      await Promise.allSettled([opening]);
      await Promise.allSettled([first.kernel.close(), sent]);
    }
  });

  it('in the middle of a transcript keeps whole what was kept, and the rest comes when it is fed again', async () => {
    const messages = Array.from({ length: 200 }, (_, n) => ({ text: `message ${n}`, id: `m${n}` }));
    const base = keptOpen();
    const first = await startProcess({ recall: slowRecall(base) });
    const appending = first.process.append(messages).catch((error: unknown) => error);
    for (let n = 0; n < 9; n++) await turnOfTheLoop();
    await first.kernel.close();
    await appending;
    const second = await startKernel({ recall: base });
    const process = await second.kernel.open(first.process.pid);
    await process.append(messages);
    expect((await process.map()).messages).toBe(200);
    await second.kernel.close();
  });

  it('does not wait for a processor that ignores its signal (C16, C29)', async () => {
    const base = createScriptedProcessor({ replies: answers });
    const deaf = {
      ...base,
      infer: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
    };
    const { kernel, process } = await startProcess({ processor: deaf });
    const sent = process.send('hello');
    await turnOfTheLoop();
    await kernel.close();
    expect((await sent).outcome).toBe('interrupted');
  });

  it('twice is once, and everything after it is refused', async () => {
    const { kernel, process } = await startProcess();
    await Promise.all([kernel.close(), kernel.close()]);
    for (const work of [process.send('x'), process.map(), process.ask('x'), kernel.spawn(), kernel.list()]) {
      await expect(work).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    }
  });

  it('gives the lease back, so that the next kernel need not wait', async () => {
    const shared: RecallDriver = { ...createMemoryRecall(), supports: { shared: true, durable: false } };
    const first = await startProcess({ recall: shared });
    await first.process.send('hello');
    await first.kernel.close();
    const second = await startKernel({ recall: shared });
    expect((await (await second.kernel.open(first.process.pid)).send('hello')).outcome).toBe('answered');
    await second.kernel.close();
  });

  it('gives the lease back also when something else fails', async () => {
    const base = createMemoryRecall();
    let failing = false;
    const released: string[] = [];
    const recall: RecallDriver = {
      ...base,
      commit: async (commit) => {
        if (failing) throw new Error('disk full');
        await base.commit(commit);
      },
      releaseLease: async (pid, owner) => {
        released.push(pid);
        await base.releaseLease(pid, owner);
      },
    };
    const { kernel, process } = await startProcess({ recall });
    await process.send('hello');
    failing = true;
    await expect(kernel.close()).rejects.toThrow('disk full');
    expect(released).toEqual([process.pid]);
  });

  it('leaves nothing behind when a process fails to be made', async () => {
    const released: string[] = [];
    const base = createMemoryRecall();
    const recall: RecallDriver = {
      ...base,
      commit: () => Promise.reject(new Error('disk full')),
      releaseLease: async (pid) => void released.push(pid),
    };
    const { kernel } = await startKernel({ recall });
    await expect(kernel.spawn()).rejects.toMatchObject({ code: 'E_STORAGE' });
    expect(released).toHaveLength(1);
    await kernel.close();
  });
});

describe('booting', () => {
  function part(name: string, events: string[], failure?: Error): Resource {
    return {
      name,
      open: async () => {
        events.push(`open ${name}`);
        if (failure) throw failure;
      },
      close: async () => void events.push(`close ${name}`),
    };
  }

  it('that fails closes what it had opened, newest first, and says what failed', async () => {
    const events: string[] = [];
    const processor = createScriptedProcessor({ replies: [] });
    const resources = [part('a', events), part('b', events), part('c', events, new Error('no socket'))];
    await expect(boot({ recall: createMemoryRecall(), processor, resources })).rejects.toThrow('no socket');
    expect(events).toEqual(['open a', 'open b', 'open c', 'close c', 'close b', 'close a']);
  });

  it('that fails at a tool leaves nothing open', async () => {
    const events: string[] = [];
    const processor = createScriptedProcessor({ replies: [] });
    const bad = { name: 'send_message', help: '', effect: 'pure', run: async () => '' } as const;
    const { z } = await import('zod');
    const tools = [{ ...bad, parameters: z.object({}) }];
    await expect(
      boot({ recall: createMemoryRecall(), processor, tools, resources: [part('a', events)] }),
    ).rejects.toMatchObject({
      code: 'E_CONFIG',
    });
    expect(events.filter((event) => event.startsWith('open'))).toHaveLength(
      events.filter((event) => event.startsWith('close')).length,
    );
  });

  it('closes in the reverse order of opening', async () => {
    const events: string[] = [];
    const processor = createScriptedProcessor({ replies: [] });
    const kernel = await boot({
      recall: createMemoryRecall(),
      processor,
      resources: [part('a', events), part('b', events)],
    });
    await kernel.close();
    expect(events).toEqual(['open a', 'open b', 'close b', 'close a']);
  });

  it('names every limit that is wrong, and what does not fit together', async () => {
    const processor = createScriptedProcessor({ replies: [] });
    const recall = createMemoryRecall();
    const limits = { warningShare: 7, maxCycels: 3 } as object;
    await expect(boot({ recall, processor, limits })).rejects.toThrow(/warningShare.*maxCycels/s);
    const embedder = {} as never;
    await expect(boot({ recall, processor, embedder })).rejects.toThrow('an embedder driver but no archival');
  });

  it('refuses a program that the window cannot hold, and keeps nothing of it (A46)', async () => {
    const { kernel } = await startKernel({ window: 300 });
    await expect(kernel.spawn()).rejects.toMatchObject({
      code: 'E_CONTEXT_IRREDUCIBLE',
      hint: expect.stringMatching(/window/),
    });
    expect(await kernel.list()).toEqual([]);
    await kernel.close();
  });

  it('refuses blocks that are none, and makes the others storable (B01)', async () => {
    const { kernel } = await startKernel();
    const twice = [{ name: 'a' }, { name: 'a' }];
    for (const blocks of [twice, [{ name: '1' }], [{ name: '' }], [{ name: 'a', value: 'xx', limit: 1 }]]) {
      await expect(kernel.spawn({ blocks })).rejects.toMatchObject({ code: 'E_INVALID' });
    }
    const nasty = await kernel.spawn({
      name: 'n\u0000',
      instructions: 'i\u0000\ud800',
      blocks: [{ name: 'a', value: 'v\u0000\udfff' }],
    });
    const map = await nasty.map();
    expect([map.name, map.blocks[0]?.value]).toEqual(['n', 'v\ufffd']);
    await kernel.close();
  });
});

describe('a driver behind its guard', () => {
  it('that fails without a code gets one, with its name and its cause', async () => {
    const cause = new Error('socket hang up');
    const { kernel } = await startKernel({
      recall: { ...createMemoryRecall(), scan: () => Promise.reject(cause) },
    });
    const failure = await kernel.list().catch((error: unknown) => error);
    expect(PagefaultError.is(failure) && failure).toMatchObject({
      code: 'E_STORAGE',
      driver: 'memory',
      cause,
    });
    await kernel.close();
  });
});
