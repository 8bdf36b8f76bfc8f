import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/virtual-clock.js';
import { keptOpen, turnOfTheLoop, watchedRecall } from '../support/recall.js';
import { answers, gate, hasResults, startKernel, startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();

describe('a paused process', () => {
  it('ends the turn under way, keeps what arrives in the inbox, and answers it once it is resumed', async () => {
    const started = gate();
    const finish = gate();
    const { process, processor } = await startProcess({
      replies: async (request, n) => {
        started.open();
        await finish.opened;
        return answers(request, n);
      },
    });
    const first = process.send('one');
    await started.opened;
    await process.pause();
    const second = process.send('two');
    finish.open();
    expect((await first).text).toBe('answer to: one');
    await turnOfTheLoop();
    expect(processor.requests).toHaveLength(1);
    await process.resume();
    expect((await second).text).toBe('answer to: two');
  });

  it('stays paused over a restart, and is listed so', async () => {
    const recall = keptOpen();
    const first = await startProcess({ recall });
    await first.process.pause();
    await first.kernel.close();
    const second = await startKernel({ recall });
    expect(await second.kernel.list()).toMatchObject([{ pid: first.process.pid, paused: true }]);
    const process = await second.kernel.open(first.process.pid);
    const sent = process.send('hello');
    await turnOfTheLoop();
    expect(second.processor.requests).toHaveLength(0);
    await process.resume();
    expect((await sent).outcome).toBe('answered');
    await second.kernel.close();
  });

  it('can still be fed, searched and looked at', async () => {
    const { process } = await startProcess();
    await process.pause();
    await process.append([{ text: 'the alpaca is called Bruno' }]);
    const { total } = await process.search({ collection: 'messages', query: 'alpaca' });
    expect([total, (await process.map()).messages]).toEqual([1, 1]);
  });
});

describe('a mask', () => {
  it('lets interrupts of its kinds wait, and others pass', async () => {
    const { process, processor } = await startProcess();
    await process.mask('user');
    const sent = process.send('hello');
    await turnOfTheLoop();
    expect(processor.requests).toHaveLength(0);
    await process.mask('timer');
    await process.unmask('user');
    expect((await sent).outcome).toBe('answered');
  });

  it('adds up, whoever sets it', async () => {
    const { process, kernel } = await startProcess();
    const other = await kernel.open(process.pid);
    await Promise.all([process.mask('timer'), other.mask('ipc'), process.mask('device')]);
    await other.unmask('ipc');
    const [listed] = await kernel.list();
    expect(listed?.masked.toSorted()).toEqual(['device', 'timer']);
  });
});

/** What is found again and again by whoever looks for what was left. */
function isLeft({ space, key }: { readonly space: string; readonly key: string }): boolean {
  return space === 'inbox' || key === 'turn';
}

describe('a kind that is none', () => {
  it('is refused with those that there are', async () => {
    const { process } = await startProcess();
    for (const change of ['mask', 'unmask'] as const)
      await expect(process[change]('timer', 'sleep' as never)).rejects.toMatchObject({
        code: 'E_INVALID',
        message: 'there is no kind of interrupt "sleep"',
        hint: 'kinds: user, ipc, device, timer, system',
      });
  });
});

describe('a killed process', () => {
  it('whose kernel died at that moment is left with nothing that waits, and its turn does not go on', async () => {
    const recall = keptOpen();
    const first = await startProcess({ recall, replies: [{ text: '', broken: 'hang' }] });
    const { pid } = first.process;
    const sent = first.process.send('hello').catch(() => undefined);
    while ((await first.process.map()).pages.length === 0) await turnOfTheLoop();
    await first.process.post({ kind: 'device', text: 'later' });
    await recall.commit({ pid, puts: [{ space: 'control', key: 'killed', value: { at: 1 } }] });
    const second = await startKernel({ recall });
    await second.kernel.serve();
    const left = async () => (await recall.load(pid, ['inbox', 'state'])).filter(isLeft);
    while ((await left()).length > 0) await turnOfTheLoop();
    expect(second.processor.requests).toEqual([]);
    await second.kernel.close();
    await first.kernel.close().catch(() => undefined);
    await sent;
  });

  it('is not held back or let go any more', async () => {
    const { process } = await startProcess();
    await process.kill();
    for (const change of ['pause', 'resume', 'mask', 'unmask'] as const)
      await expect(process[change]()).rejects.toMatchObject({ code: 'E_KILLED' });
  });

  it('stops its turn, refuses who waits and who comes, and keeps its memory', async () => {
    const { kernel, process, texts } = await startProcess({
      replies: (request, n) => (n === 0 ? { text: 'Half an ans', broken: 'hang' } : answers(request, n)),
    });
    const running = process.send('one');
    const waiting = process.send('two');
    const refused = expect(waiting).rejects.toMatchObject({ code: 'E_KILLED' });
    await turnOfTheLoop();
    await process.kill();
    expect((await running).outcome).toBe('interrupted');
    await refused;
    await expect(process.send('three')).rejects.toMatchObject({ code: 'E_KILLED', hint: expect.any(String) });
    await expect(process.append([{ text: 'four' }])).rejects.toMatchObject({ code: 'E_KILLED' });
    expect((await texts())[0]).toBe('one');
    expect(await kernel.list()).toMatchObject([{ killedAt: expect.any(Number) }]);
    await process.kill();
  });
});

describe('a process that is renamed', () => {
  it('while a turn runs keeps both, the name and the reply (C07)', async () => {
    const started = gate();
    const finish = gate();
    const { kernel, process, texts } = await startProcess({
      replies: async (request) => {
        started.open();
        await finish.opened;
        return hasResults(request) ? tell('done') : tell('a reply');
      },
    });
    const sent = process.send('hello');
    await started.opened;
    await process.rename('Ada');
    finish.open();
    expect((await sent).text).toBe('a reply');
    expect((await kernel.find('Ada'))?.pid).toBe(process.pid);
    expect(await texts()).toContain('call');
  });
});

describe('the name of a process', () => {
  it.each([
    ['', 'is blank'],
    [' \u200b\n', 'is blank'],
    ['a\nb', 'has line ends or control characters'],
    ['\u001b[2Jada', 'has line ends or control characters'],
    ['a'.repeat(201), 'has 201 characters'],
  ])('is refused when it is %j', async (name, why) => {
    const { kernel, process } = await startProcess();
    const refusal = { code: 'E_INVALID', message: `the name of a process ${why}` };
    await expect(kernel.spawn({ name })).rejects.toMatchObject(refusal);
    await expect(process.rename(name)).rejects.toMatchObject(refusal);
    await expect(process.fork({ name })).rejects.toMatchObject(refusal);
    expect(await kernel.list()).toHaveLength(1);
  });

  it('may be of 200 characters of any script', async () => {
    const { kernel } = await startProcess();
    for (const name of ['🦙'.repeat(200), 'ادا', 'Ada L.'])
      expect((await kernel.find((await kernel.spawn({ name })).pid))?.name).toBe(name);
  });
});

describe('an idle process', () => {
  it('is passivated: no lease, nothing attached, and its next message finds all as it was', async () => {
    const base = createMemoryRecall();
    const leases = new Set<string>();
    const { kernel, process } = await startProcess({
      recall: {
        ...base,
        acquireLease: async (pid, ...rest) => (leases.add(pid), base.acquireLease(pid, ...rest)),
        releaseLease: async (pid, owner) => (leases.delete(pid), base.releaseLease(pid, owner)),
      },
    });
    await process.send('the alpaca is called Bruno');
    const before = await process.map();
    expect(await kernel.passivate()).toBe(1);
    expect([kernel.isRunning(process.pid), leases.size]).toEqual([false, 0]);
    expect(await process.map()).toEqual(before);
    expect((await process.send('hello')).text).toBe('answer to: hello');
  });

  it('is let go only when nobody waits for it', async () => {
    const finish = gate();
    const { kernel, process } = await startProcess({
      replies: async (request, n) => (await finish.opened, answers(request, n)),
    });
    const sent = process.send('hello');
    expect(await kernel.passivate()).toBe(0);
    finish.open();
    expect((await sent).outcome).toBe('answered');
  });

  it('may be used at the very moment it is let go', async () => {
    const { kernel, process, texts } = await startProcess();
    for (let round = 0; round < 20; round++) {
      const leaving = kernel.passivate();
      const sent = process.send(`message ${round}`);
      for (let n = 0; n < round; n++) await Promise.resolve();
      const again = kernel.passivate();
      expect((await sent).text).toBe(`answer to: message ${round}`);
      await Promise.all([leaving, again]);
    }
    expect((await texts()).filter((text) => text.startsWith('message'))).toHaveLength(20);
  });

  it('leaves first that was not used for longest, when more are in memory than may be', async () => {
    const { kernel } = await startProcess({ limits: { activeProcesses: 2 } });
    const gone: string[] = [];
    kernel.bus.on('passivated', ({ pid }) => gone.push(pid));
    const a = await kernel.spawn();
    const b = await kernel.spawn();
    await a.send('hello');
    const c = await kernel.spawn();
    await c.send('hello');
    expect(gone).not.toContain(a.pid);
    expect(gone).toContain(b.pid);
    expect((await b.send('hello')).outcome).toBe('answered');
  });

  it('asks nothing of the store', async () => {
    const recall = watchedRecall();
    const { process } = await startProcess({ recall });
    await process.send('hello');
    const commits = recall.commits.length;
    for (let n = 0; n < 20; n++) await turnOfTheLoop();
    expect(recall.commits).toHaveLength(commits);
  });
});

describe('closing with grace', () => {
  it('lets the turn under way end, and begins no other (C28)', async () => {
    const started = gate();
    const finish = gate();
    const { kernel, process, processor } = await startProcess({
      replies: async (request, n) => {
        started.open();
        await finish.opened;
        return answers(request, n);
      },
    });
    const first = process.send('one');
    const second = expect(process.send('two')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await started.opened;
    const closing = kernel.close({ graceMs: 60_000 });
    finish.open();
    expect((await first).outcome).toBe('answered');
    await Promise.all([second, closing]);
    expect(processor.requests).toHaveLength(1);
  });

  it('stops the turn when the time is over (C29)', async () => {
    const { kernel, process } = await startProcess({ replies: [{ text: 'Half', broken: 'hang' }] });
    const sent = process.send('one');
    await turnOfTheLoop();
    await kernel.close({ graceMs: 1 });
    expect((await sent).outcome).toBe('interrupted');
  });
});

describe('with time', () => {
  it('a process without work for `idleMs` is passivated, one that works is not (virtual clock)', async () => {
    const clock = virtualClock(1_000_000);
    const { kernel, process } = await startProcess({ clock, limits: { idleMs: 1_000 } });
    const other = await kernel.spawn();
    await clock.advance(900);
    await other.send('hello');
    await clock.advance(900);
    expect([kernel.isRunning(process.pid), kernel.isRunning(other.pid)]).toEqual([false, true]);
    await clock.advance(2_000);
    expect(kernel.isRunning(other.pid)).toBe(false);
    expect((await process.send('hello')).outcome).toBe('answered');
  });
});
