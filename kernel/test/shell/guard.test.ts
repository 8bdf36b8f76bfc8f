import { type EmbedderDriver, type EraseScope, PagefaultError } from '@pagefault/contracts';
import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { guardArchival } from '../../src/guard/archival.js';
import { guardEmbedder } from '../../src/guard/embedder.js';
import { guardProcessor } from '../../src/guard/processor.js';
import { guardRecall } from '../../src/guard/recall.js';
import { themeEmbedder } from '../support/embedding.js';
import { gate } from '../support/stack.js';

const lineage = [{ pid: 'p', upTo: 1 }];

/** Every operation of every kind of driver, through its guard. */
const KINDS = {
  recall: () => {
    const guard = guardRecall(createMemoryRecall());
    const operations = (signal?: AbortSignal) => [
      () => guard.commit({ pid: 'p' }, signal),
      () => guard.load('p', ['state'], signal),
      () => guard.get('p', [], signal),
      () => guard.read(lineage, { limit: 1 }, signal),
      () => guard.scan('inbox', { limit: 1 }, signal),
      () => guard.postings(lineage, 'messages', [], signal),
      () => guard.documents(lineage, 'messages', [], signal),
      () => guard.stats(lineage, signal),
      () => guard.erase({ pid: 'p', whole: true }, signal),
      () => guard.acquireLease('p', 'me', 1_000, signal),
    ];
    return { guard, operations };
  },
  archival: () => {
    const guard = guardArchival(createMemoryArchival({ dimension: 2 }));
    const vector = Float32Array.of(1, 0);
    const operations = (signal?: AbortSignal) => [
      () => guard.upsert('s', [], signal),
      () => guard.query({ scope: 's', vector, limit: 1 }, signal),
      () => guard.remove('s', [], signal),
      () => guard.count('s', signal),
    ];
    return { guard, operations };
  },
  embedder: () => {
    const guard = guardEmbedder(themeEmbedder());
    return { guard, operations: (signal?: AbortSignal) => [() => guard.embed(['x'], signal)] };
  },
  processor: () => {
    const guard = guardProcessor(createScriptedProcessor({ replies: () => 'ok' }));
    const request = { tools: [], system: 's', messages: [], maxOutput: 10 };
    const operations = (signal?: AbortSignal) => [
      () => guard.count([], signal),
      async () => {
        for await (const event of guard.infer(request, signal)) void event;
      },
    ];
    return { guard, operations };
  },
};

describe.each(Object.entries(KINDS))('the guard of a %s driver', (_, make) => {
  it('refuses every operation before open and after close, and says what to do', async () => {
    const { guard, operations } = make();
    const refused = async (message: RegExp) => {
      for (const operation of operations()) {
        await expect(operation()).rejects.toMatchObject({
          code: 'E_NOT_OPEN',
          message: expect.stringMatching(message),
          hint: expect.any(String),
        });
      }
    };
    await refused(/not open yet/);
    await guard.open();
    for (const operation of operations()) await operation();
    await guard.close();
    await refused(/closed/);
  });

  it('begins nothing under a signal that has fired', async () => {
    const { guard, operations } = make();
    await guard.open();
    for (const operation of operations(AbortSignal.abort()))
      await expect(operation()).rejects.toMatchObject({ code: 'E_ABORTED' });
    await guard.close();
  });

  it('leaves no listener on a signal (C19)', async () => {
    const { guard, operations } = make();
    await guard.open();
    const { signal } = new AbortController();
    for (let n = 0; n < 5; n++) for (const operation of operations(signal)) await operation();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    await guard.close();
  });

  it('opens and closes once, and shows the manifest as it is', async () => {
    const { guard } = make();
    expect(Object.isFrozen(guard.supports)).toBe(true);
    await Promise.all([guard.open(), guard.open()]);
    await Promise.all([guard.close(), guard.close()]);
    await guard.close();
  });
});

describe('a guard', () => {
  it('opens again after a failure', async () => {
    let tries = 0;
    const open = async () => {
      if ((tries += 1) === 1) throw new Error('no route');
    };
    const guard = guardRecall({ ...createMemoryRecall(), open });
    await expect(guard.open()).rejects.toMatchObject({ code: 'E_STORAGE', driver: 'memory' });
    await guard.open();
    await guard.open();
    expect(tries).toBe(2);
  });

  it('may be closed before it was opened', async () => {
    await guardRecall(createMemoryRecall()).close();
  });

  it('refuses an empty scope, in every operation (B35)', async () => {
    const guard = guardArchival(createMemoryArchival({ dimension: 2 }));
    await guard.open();
    const vector = Float32Array.of(1, 0);
    for (const work of [
      guard.upsert('', []),
      guard.query({ scope: '', vector, limit: 1 }),
      guard.remove('', 'all'),
      guard.count(''),
    ]) {
      await expect(work).rejects.toMatchObject({ code: 'E_INVALID' });
    }
  });

  it('refuses to erase when nobody says what: a slip is not taken for all of a process (B35)', async () => {
    const guard = guardRecall(createMemoryRecall());
    await guard.open();
    await guard.commit({ pid: 'p', puts: [{ space: 's', key: 'k', value: 1 }] });
    const slips: readonly unknown[] = [
      { pid: 'p' },
      { pid: 'p', seqs: undefined },
      { pid: 'p', whole: false },
      { pid: 'p', whole: true, seqs: [1] },
      { pid: '', whole: true },
    ];
    for (const scope of slips)
      await expect(guard.erase(scope as EraseScope)).rejects.toMatchObject({ code: 'E_INVALID' });
    expect(await guard.load('p', ['s'])).toHaveLength(1);
  });

  it('refuses vectors that are not of the dimension, or not one a text (B23)', async () => {
    for (const vectors of [
      [],
      [Float32Array.of(1)],
      [Float32Array.of(1, 0, 0, 0), Float32Array.of(1, 0, 0, 0)],
    ]) {
      const driver: EmbedderDriver = { ...themeEmbedder(), embed: async () => vectors };
      const guard = guardEmbedder(driver);
      await guard.open();
      await expect(guard.embed(['x'])).rejects.toMatchObject({ code: 'E_DIMENSION' });
    }
  });
});

describe('the guard of an index that cannot be reached', () => {
  const away = new PagefaultError('E_OVERLOADED', 'no route', { retryable: true });
  const vector = Float32Array.of(1, 0);
  const query = { scope: 's', vector, limit: 1 };

  function reached(answers: readonly (PagefaultError | 'reached' | Promise<void>)[]) {
    const driver = createMemoryArchival({ dimension: 2 });
    const told: unknown[] = [];
    let opens = 0;
    const open = async (): Promise<void> => {
      const answer = answers[Math.min(opens, answers.length - 1)];
      opens += 1;
      if (answer instanceof PagefaultError) throw answer;
      await answer;
      await driver.open();
    };
    const guard = guardArchival({ ...driver, open }, (error) => told.push(error));
    return { guard, told, opens: () => opens };
  }

  it('opens all the same and tells so; a write reaches it as soon as it is there', async () => {
    const { guard, told, opens } = reached([away, away, 'reached']);
    await guard.open();
    expect(told).toEqual([away]);
    await expect(guard.upsert('s', [])).rejects.toBe(away);
    await guard.upsert('s', []);
    await guard.upsert('s', []);
    expect(opens()).toBe(3);
  });

  it('refuses a query at once, and looks for the index behind its back', async () => {
    const held = gate();
    const { guard, opens } = reached([away, held.opened]);
    await guard.open();
    await expect(guard.query(query)).rejects.toBe(away);
    await expect(guard.query(query)).rejects.toBe(away);
    held.open();
    await guard.count('s');
    expect(await guard.query(query)).toEqual([]);
    expect(opens()).toBe(2);
  });

  it('throws at open what waiting would not help, and afterwards to whoever asks', async () => {
    const wrong = new PagefaultError('E_DIMENSION', 'too wide');
    const { guard, told } = reached([wrong]);
    await expect(guard.open()).rejects.toBe(wrong);
    expect(told).toEqual([]);
    const later = reached([away, wrong]);
    await later.guard.open();
    await expect(later.guard.remove('s', ['a'])).rejects.toBe(wrong);
    await expect(later.guard.query(query)).rejects.toBe(wrong);
  });

  it('waits for no attempt under a signal that fires, and leaves nothing on the signal (C19)', async () => {
    const { guard } = reached([away, new Promise(() => undefined)]);
    await guard.open();
    const controller = new AbortController();
    const counted = guard.count('s', controller.signal);
    controller.abort();
    await expect(counted).rejects.toMatchObject({ code: 'E_ABORTED' });
    await expect(guard.count('s', controller.signal)).rejects.toMatchObject({ code: 'E_ABORTED' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  it('stays closed when an attempt that was under way fails afterwards, and looks no further', async () => {
    const held = gate();
    const failing = held.opened.then(() => Promise.reject(away));
    const { guard, opens } = reached([away, failing, 'reached']);
    await guard.open();
    const counted = guard.count('s').catch((error: unknown) => error);
    await guard.close();
    held.open();
    expect(await counted).toBe(away);
    await expect(guard.count('s')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    expect(opens()).toBe(2);
  });

  it('stays closed when an attempt that was under way succeeds afterwards', async () => {
    const held = gate();
    const { guard } = reached([away, held.opened]);
    await guard.open();
    const counted = guard.count('s').catch((error: unknown) => error);
    await guard.close();
    held.open();
    expect(await counted).toMatchObject({ code: 'E_NOT_OPEN' });
    await expect(guard.query(query)).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });
});
