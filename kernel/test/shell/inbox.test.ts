import { describe, expect, it } from 'vitest';
import { type Fate, faultyRecall, slowRecall, turnOfTheLoop, watchedRecall } from '../support/recall.js';
import { ask, gate, hasResults, lastUser, startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();

describe('messages to one process', () => {
  it('at once are served one after the other, and both are stored (C01, gap 3)', async () => {
    const { process, texts } = await startProcess({ recall: slowRecall() });
    const [a, b] = await Promise.all([process.send('first'), process.send('second')]);
    expect([a.text, b.text]).toEqual(['answer to: first', 'answer to: second']);
    expect((await texts()).filter((text) => text === 'first' || text === 'second')).toEqual([
      'first',
      'second',
    ]);
  });

  it('that come during a turn see its results (C02)', async () => {
    const running = gate();
    const { process, processor } = await startProcess({
      replies: async (request) => {
        if (lastUser(request) !== 'first') return tell('second answered');
        if (hasResults(request)) return tell('first answered');
        await running.opened;
        return ask('conversation_search', { query: 'x' });
      },
    });
    const first = process.send('first');
    await turnOfTheLoop();
    const second = process.send('second');
    await turnOfTheLoop();
    running.open();
    expect((await first).text).toBe('first answered');
    expect((await second).text).toBe('second answered');
    const seen = JSON.stringify(processor.requests.at(-1)?.messages);
    expect(seen).toContain('first answered');
    expect(processor.requests).toHaveLength(3);
  });

  it('do not wait for another process (C01)', async () => {
    const stuck = gate();
    const { kernel, process } = await startProcess({
      replies: async (request) => {
        if (lastUser(request) === 'stuck') await stuck.opened;
        return tell('free');
      },
    });
    const other = await kernel.spawn();
    const waiting = process.send('stuck');
    expect((await other.send('hello')).text).toBe('free');
    stuck.open();
    await waiting;
  });

  it('a thousand at once are each answered once, in order', async () => {
    const { process, texts, processor } = await startProcess();
    const results = await Promise.all(Array.from({ length: 1_000 }, (_, n) => process.send(`message ${n}`)));
    expect(results.map(({ text }) => text)).toEqual(results.map((_, n) => `answer to: message ${n}`));
    expect(processor.requests).toHaveLength(1_000);
    const said = (await texts()).filter((text) => /^message \d+$/.test(text));
    expect(said).toEqual(Array.from({ length: 1_000 }, (_, n) => `message ${n}`));
  });
});

describe('a message that is delivered again', () => {
  it('at the same time is one turn, and both callers get its answer (C04)', async () => {
    for (const recall of [watchedRecall(), slowRecall()]) {
      const { process, processor } = await startProcess({ recall });
      const message = { text: 'hello', id: 'x' };
      const results = await Promise.all([
        process.send(message),
        process.send(message),
        process.send(message),
      ]);
      expect(new Set(results.map(({ turnId }) => turnId)).size).toBe(1);
      expect(processor.requests).toHaveLength(1);
    }
  });

  it('later, also after a restart, gets the stored answer (C03)', async () => {
    const { kernel, process, recall, processor } = await startProcess();
    const first = await process.send({ text: 'hello', id: 'x' });
    expect(await process.send({ text: 'hello', id: 'x' })).toEqual(first);
    await kernel.close();
    const again = await startProcess({ recall });
    const reopened = await again.kernel.open(process.pid);
    expect(await reopened.send({ text: 'hello', id: 'x' })).toEqual(first);
    expect([processor.requests.length, again.processor.requests.length]).toEqual([1, 0]);
  });

  it('at any moment of the first one gets the answer, and never waits for ever (C04)', async () => {
    for (let delay = 0; delay < 30; delay++) {
      const { process, kernel } = await startProcess({ recall: slowRecall() });
      const first = process.send({ text: 'hello', id: 'x' });
      for (let n = 0; n < delay; n++) await turnOfTheLoop();
      const second = process.send({ text: 'hello', id: 'x' });
      expect((await second).turnId).toBe((await first).turnId);
      await kernel.close();
    }
  });

  it('and that is in the log from a transcript is refused, and blocks nothing', async () => {
    const { process, texts } = await startProcess();
    await process.append([{ text: 'from a transcript', id: 'x' }]);
    await expect(process.send({ text: 'hello', id: 'x' })).rejects.toMatchObject({ code: 'E_CONFLICT' });
    expect((await process.send('next')).outcome).toBe('answered');
    expect((await texts()).filter((text) => text === 'hello')).toEqual([]);
  });

  it('by a transcript is skipped', async () => {
    const { process } = await startProcess();
    await process.send({ text: 'hello', id: 'x' });
    const report = await process.append([
      { text: 'hello', id: 'x' },
      { text: 'new', id: 'y' },
      { text: 'new', id: 'y' },
    ]);
    expect(report).toEqual({ appended: 1, skipped: 2 });
  });

  it('by a transcript and by a sender at once is stored once, and blocks nothing', async () => {
    const { process, texts } = await startProcess({ recall: slowRecall() });
    await Promise.allSettled([
      process.append([{ text: 'both', id: 'x' }]),
      process.send({ text: 'both', id: 'x' }),
    ]);
    expect((await process.send('next')).outcome).toBe('answered');
    expect((await texts()).filter((text) => text === 'both')).toEqual(['both']);
  });
});

describe('bad input', () => {
  it.each(['', ' \n\t', '\u0000', '\u200b'])(
    'with nothing to read is refused, and nothing is stored: %j',
    async (text) => {
      const { process, log } = await startProcess();
      await expect(process.send(text)).rejects.toMatchObject({ code: 'E_INVALID' });
      await expect(process.append([{ text }])).rejects.toMatchObject({ code: 'E_INVALID' });
      expect(await log()).toEqual([]);
    },
  );

  it('is made storable before it is acknowledged (B01, B02, B03)', async () => {
    const { process, texts } = await startProcess();
    await process.send('a\u0000b\ud800c \\u0000');
    expect((await texts())[0]).toBe('ab\ufffdc \\u0000');
  });

  it('of 5 MB is stored whole, shown as a stub, and answered', async () => {
    const { process, log } = await startProcess();
    const text = `book ${'lorem ipsum dolor '.repeat(300_000)}`.slice(0, 5_000_000).trimEnd();
    expect((await process.send(text)).outcome).toBe('answered');
    const [entry] = await log();
    expect(entry?.message.parts[0]).toEqual({ type: 'text', text });
    expect((await process.map()).pages[0]?.residency).toBe('stub');
  });

  it('over the limit of a message is refused with both numbers', async () => {
    const { process } = await startProcess({ limits: { messageCharacters: 1_000 } });
    await expect(process.send('x'.repeat(1_001))).rejects.toThrow(
      'the message has 1001 characters, the limit is 1000',
    );
  });

  it.each(['', 'x'.repeat(129), 'a\u0000', '\ud800', 'kernel-2'])(
    'with an id that is none is refused: %j',
    async (id) => {
      const { process } = await startProcess();
      await expect(process.send({ text: 'hello', id })).rejects.toMatchObject({ code: 'E_INVALID' });
      expect((await process.send('next')).outcome).toBe('answered');
    },
  );

  it.each([
    "'; drop table messages; --",
    '../../etc/passwd',
    '__proto__',
    'constructor',
    'summary',
    'tail',
    '0/1',
    '%',
    '😀'.repeat(64),
  ])('with a strange id is an id like any other: %j', async (id) => {
    const { process, log } = await startProcess();
    expect(await process.send({ text: 'hello', id })).toMatchObject({ interruptId: id, outcome: 'answered' });
    expect((await log())[0]?.message.id).toBe(id);
    expect((await process.send({ text: 'hello', id })).interruptId).toBe(id);
  });

  it.each([Number.NaN, Infinity, 1e20, -1e20])(
    'with a time that is no instant is refused, and blocks nothing: %d',
    async (at) => {
      const { process } = await startProcess();
      await expect(process.send({ text: 'hello', at })).rejects.toMatchObject({ code: 'E_INVALID' });
      expect((await process.send('next')).outcome).toBe('answered');
    },
  );
});

describe('a failed commit', () => {
  it('that was written counts once when the caller tries again (C11)', async () => {
    for (let failing = 2; failing <= 8; failing++) {
      const fault = once(failing, 'fail-after');
      const { process, texts } = await startProcess({ recall: faultyRecall(fault.fate) });
      const message = { text: 'hello', id: 'x' };
      const result = await process.send(message).catch(() => process.send(message));
      fault.repair();
      expect(result).toMatchObject({ outcome: 'answered', text: 'answer to: hello' });
      expect((await texts()).filter((text) => text === 'hello')).toEqual(['hello']);
    }
  });

  it('that was not written loses nothing when the caller tries again', async () => {
    for (let failing = 2; failing <= 8; failing++) {
      const fault = once(failing, 'fail-before');
      const { process, texts } = await startProcess({ recall: faultyRecall(fault.fate) });
      const message = { text: 'hello', id: 'x' };
      const result = await process.send(message).catch(() => process.send(message));
      fault.repair();
      expect(result).toMatchObject({ outcome: 'answered', text: 'answer to: hello' });
      expect((await texts()).filter((text) => text === 'hello')).toEqual(['hello']);
    }
  });

  it('fails the message that it concerns, and those behind it are served', async () => {
    const recall = faultyRecall((_, { appends }) =>
      appends?.some(({ message }) => message.id === 'bad') ? 'fail-before' : 'pass',
    );
    const { process } = await startProcess({ recall });
    const ids = ['a', 'bad', 'b', 'c'];
    const settled = await Promise.allSettled(ids.map((id) => process.send({ text: `message ${id}`, id })));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  });

  it('inserts a memory once (C11, C12)', async () => {
    for (let failing = 2; failing <= 8; failing++) {
      const fault = once(failing, 'fail-after');
      const { process } = await startProcess({
        recall: faultyRecall(fault.fate),
        replies: (request) =>
          hasResults(request) ? tell('kept') : ask('archival_memory_insert', { content: 'alpacas like hay' }),
      });
      const message = { text: 'keep it', id: 'x' };
      await process.send(message).catch(() => process.send(message));
      fault.repair();
      expect((await process.search({ collection: 'passages', query: 'alpacas' })).total).toBe(1);
    }
  });
});

describe('a count that fails', () => {
  it('loses no message: the next turn starts from the store', async () => {
    let failing = false;
    const { process, texts } = await startProcess({
      processor: await brokenCounter(() => failing),
    });
    failing = true;
    await expect(process.send({ text: 'first', id: 'x' })).rejects.toMatchObject({ code: 'E_PROTOCOL' });
    failing = false;
    expect((await process.send('second')).text).toBe('answer to: second');
    expect((await process.send({ text: 'first', id: 'x' })).text).toBe('answer to: first');
    expect((await texts()).filter((text) => text === 'first' || text === 'second').toSorted()).toEqual([
      'first',
      'second',
    ]);
  });
});

/** The `failing`-th commit has this fate, until repaired. */
function once(failing: number, fate: Fate): { fate(n: number): Fate; repair(): void } {
  let isBroken = true;
  return {
    fate: (n) => (isBroken && n === failing ? fate : 'pass'),
    repair: () => void (isBroken = false),
  };
}

async function brokenCounter(isFailing: () => boolean) {
  const { createScriptedProcessor } = await import('@pagefault/driver-processor-scripted');
  const { answers } = await import('../support/stack.js');
  const base = createScriptedProcessor({ replies: answers });
  return {
    ...base,
    count: async (...args: Parameters<typeof base.count>) => {
      if (isFailing()) throw new Error('the tokenizer is gone');
      return base.count(...args);
    },
  };
}
