import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { themeEmbedder } from '../support/embedding.js';
import { turnOfTheLoop, watchedRecall } from '../support/recall.js';
import {
  ask,
  FEW_SYSCALLS,
  gate,
  hasResults,
  lastResult,
  lastUser,
  type StackOptions,
  startProcesses,
  tell,
} from '../support/stack.js';

const startProcess = startProcesses();

/** Calls one function for every message, then answers with what it gave. */
function echo(name: string, args: (text: string) => object): StackOptions {
  return {
    replies: (request) =>
      hasResults(request) ? tell(lastResult(request)) : ask(name, args(lastUser(request))),
  };
}

const search = echo('conversation_search', (query) => ({ query }));

describe('search', () => {
  it('finds what was said, and not the question itself (D17)', async () => {
    const { process } = await startProcess(search);
    await process.append([{ text: 'The marker is MARKER_1777, keep it.', id: 'fact' }]);
    await process.append(
      Array.from({ length: 20 }, (_, n) => ({ text: `Do you know what the marker is, please? ${n}` })),
    );
    const { text } = await process.send('what is the marker MARKER_1777?');
    const found = JSON.parse(text) as { results: { text: string }[] };
    expect(found.results[0]?.text).toContain('keep it');
    expect(JSON.stringify(found.results)).not.toContain('what is the marker MARKER_1777?');
  });

  it('does not feed on what memory put back (A60)', async () => {
    const { process } = await startProcess(search);
    await process.append([{ text: 'Ada breeds alpacas.' }]);
    for (let n = 0; n < 5; n++) await process.send('alpacas');
    const hits = await process.search({ collection: 'messages', query: 'breeds' });
    expect(hits.hits.filter(({ role }) => role === 'tool')).toEqual([]);
  });

  it('marks what it returns as data (A59), with a handle, a time and a true total', async () => {
    const { process } = await startProcess(search);
    await process.append(
      Array.from({ length: 25 }, (_, n) => ({ text: `alpaca number ${n}`, at: 1_600_000_000_000 + n })),
    );
    const found = JSON.parse((await process.send('alpaca')).text) as Record<string, unknown> & {
      results: object[];
    };
    expect(found).toMatchObject({ total: 25, page: 0, pages: 3, note: expect.stringContaining('data') });
    expect(found.results[0]).toMatchObject({
      handle: expect.stringMatching(/^m\d+$/),
      at: expect.stringMatching(/^2020-09-13T/),
    });
  });

  it('cuts a page of results to its room, with a mark (A55)', async () => {
    const { process, processor, kernel } = await startProcess({ ...search, window: 4_000 });
    await process.append(
      Array.from({ length: 10 }, (_, n) => ({ text: `alpaca ${n} ${'of a long story '.repeat(120)}` })),
    );
    await process.send('alpaca');
    const { budget } = await process.map();
    const request = processor.requests.at(-1);
    if (!request) throw new Error('nothing was asked');
    expect(lastResult(request)).toMatch(/…|do not fit/);
    expect(lastResult(request)).not.toContain('paged out');
    expect(lastResult(request).length / 3.5).toBeLessThan(budget.tokens * 0.3);
    expect(kernel).toBeDefined();
  });

  it('by words and by meaning is one list; a pending text is found by words', async () => {
    const embedder = themeEmbedder();
    const { process, kernel } = await startProcess({
      embedder,
      archival: createMemoryArchival({ dimension: 4 }),
    });
    await process.append([
      { text: 'We sold the old ship.' },
      { text: 'Our herd grew by two.' },
      { text: 'A loaf a day.' },
    ]);
    await kernel.settle();
    expect((await process.search({ collection: 'messages', query: 'alpaca' })).hits[0]?.text).toBe(
      'Our herd grew by two.',
    );
    expect((await process.search({ collection: 'messages', query: 'loaf' })).hits[0]?.text).toBe(
      'A loaf a day.',
    );
  });

  it('of one process never shows another one (invariant 8)', async () => {
    const embedder = themeEmbedder();
    const { process, kernel } = await startProcess({
      embedder,
      archival: createMemoryArchival({ dimension: 4 }),
    });
    const other = await kernel.spawn();
    await other.append([{ text: 'a secret herd of alpacas' }]);
    const [passage = ''] = await other.archive([{ text: 'a secret boat' }]);
    await kernel.settle();
    for (const collection of ['messages', 'passages'] as const) {
      expect((await process.search({ collection, query: 'secret alpaca boat' })).total).toBe(0);
    }
    expect(await other.search({ collection: 'passages', query: 'boat' })).toMatchObject({
      total: 1,
      hits: [{ id: passage }],
    });
  });

  it('of nothing, of stop words and of operators is no error', async () => {
    const { process } = await startProcess();
    await process.append([{ text: 'the who' }]);
    for (const query of [' ', '"', 'a & (b', "'; --", '%', 'to be or not to be', '\u0000']) {
      expect((await process.search({ collection: 'messages', query })).hits.length).toBeLessThanOrEqual(1);
    }
  });
});

describe('the index', () => {
  it('that fails once loses no text: it is found by words at once, by meaning later (B37)', async () => {
    let failing = true;
    const failures: unknown[] = [];
    const recall = createMemoryRecall();
    const { process, kernel } = await startProcess({
      recall,
      embedder: themeEmbedder(() => failing),
      archival: createMemoryArchival({ dimension: 4 }),
    });
    kernel.bus.on('index-failed', ({ error }) => void failures.push(error));
    await process.append([{ text: 'Our herd grew by two.' }]);
    await kernel.settle();
    expect(failures.length).toBeGreaterThan(0);
    expect((await recall.scan('outbox', { limit: 10 })).items).toHaveLength(1);
    failing = false;
    await kernel.settle();
    expect((await recall.scan('outbox', { limit: 10 })).items).toEqual([]);
    expect((await process.search({ collection: 'messages', query: 'alpaca' })).total).toBe(1);
  });

  it('takes each text once (B40)', async () => {
    const embedder = themeEmbedder();
    const { process, kernel } = await startProcess({
      embedder,
      archival: createMemoryArchival({ dimension: 4 }),
    });
    await process.append(Array.from({ length: 30 }, (_, n) => ({ text: `boat ${n}` })));
    await kernel.settle();
    await kernel.settle();
    expect(embedder.texts.toSorted()).toEqual([...new Set(embedder.texts)].toSorted());
    expect(embedder.texts).toHaveLength(30);
  });

  it('holds nothing of what memory put back (A60)', async () => {
    const embedder = themeEmbedder();
    const { process, kernel } = await startProcess({
      ...search,
      embedder,
      archival: createMemoryArchival({ dimension: 4 }),
    });
    await process.append([{ text: 'Our herd grew by two.' }]);
    await process.send('alpaca');
    await kernel.settle();
    expect(embedder.texts.filter((text) => text.includes('herd'))).toHaveLength(2);
  });
});

describe('page_in', () => {
  const LENGTH = 60_000;
  const book = Array.from({ length: LENGTH / 10 }, (_, n) => `${String(n).padStart(8, '0')}. `).join('');
  const readAll: StackOptions = {
    window: 4_000,
    syscalls: FEW_SYSCALLS,
    limits: { maxCycles: 200, thrashLimit: 100 },
    replies: (request) => {
      if (!hasResults(request)) return ask('page_in', { handle: 'm1' });
      const next = /next offset (\d+)/.exec(lastResult(request))?.[1];
      return next === undefined ? tell('read') : ask('page_in', { handle: 'm1', offset: Number(next) });
    },
  };

  it('reads a stub to its end, window by window, and nothing is lost between them', async () => {
    const { process, log, processor } = await startProcess(readAll);
    expect((await process.send(book)).text).toBe('read');
    const windows = (await log()).flatMap(({ message }) =>
      message.parts.flatMap((part) => (part.type === 'result' && part.name === 'page_in' ? [part.text] : [])),
    );
    expect(windows.length).toBeGreaterThan(10);
    expect(windows.map((text) => text.slice(text.indexOf('\n') + 1)).join('')).toBe(book);
    for (const request of processor.requests.slice(1)) expect(lastResult(request)).not.toContain('paged out');
  });

  it('says what is wrong with a handle or an offset', async () => {
    const bad = [
      { handle: 'm99' },
      { handle: 'nonsense' },
      { handle: 'm1', offset: 1_000_000 },
      { handle: 'm0' },
      { handle: 'm1', offset: -1 },
    ];
    let n = 0;
    const { process, log } = await startProcess({
      replies: () => (n < bad.length ? ask('page_in', bad[n++]) : tell('done')),
    });
    expect((await process.send('hello')).outcome).toBe('answered');
    const results = (await log()).flatMap(({ message }) =>
      message.parts.flatMap((part) => (part.type === 'result' && part.name === 'page_in' ? [part] : [])),
    );
    expect(results).toHaveLength(bad.length);
    for (const result of results)
      expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/^Error: /) });
  });

  it('reads a passage by its handle, and no other process may (invariant 8)', async () => {
    let handle = '';
    const { kernel, process } = await startProcess(echo('page_in', () => ({ handle })));
    const [id = ''] = await process.archive([{ text: 'alpacas like hay' }]);
    handle = `p${id}`;
    expect((await process.send('read')).text).toContain('alpacas like hay');
    const other = await kernel.spawn();
    expect((await other.send('read')).text).toContain('There is nothing under the handle');
  });
});

describe('ask', () => {
  it('answers and leaves no trace but its bill', async () => {
    const recall = watchedRecall();
    const { process, log } = await startProcess({ ...search, recall });
    await process.append([{ text: 'Ada breeds alpacas.' }]);
    const [before, map, commits] = [await log(), await process.map(), recall.commits.length];
    expect((await process.ask('alpacas')).text).toContain('Ada breeds alpacas.');
    expect(await log()).toEqual(before);
    const { bills, ...after } = await process.map();
    expect({ ...after, bills: {} }).toEqual(map);
    expect(bills['main']).toMatchObject({ requests: 2 });
    const written = recall.commits.slice(commits).flatMap(({ puts = [] }) => puts.map(({ space }) => space));
    expect(new Set(written)).toEqual(new Set(['spend']));
  });

  it('can page in a stub that only it has', async () => {
    const { process } = await startProcess(echo('page_in', () => ({ handle: 'm1' })));
    const text = `book ${'lorem ipsum '.repeat(3_000)}`;
    expect((await process.ask(text)).text).toMatch(/^\[m1, characters 0 to .*\nbook lorem/s);
  });

  it('while a turn runs neither waits for it nor runs its calls a second time', async () => {
    const started = gate();
    const finish = gate();
    let ran = 0;
    const { z } = await import('zod');
    const { defineTool } = await import('../../src/index.js');
    const tool = defineTool({
      name: 'pay',
      help: 'Pays.',
      parameters: z.object({}),
      effect: 'idempotent',
      run: async () => {
        ran += 1;
        started.open();
        await finish.opened;
        return 'paid';
      },
    });
    const { process } = await startProcess({
      tools: [tool],
      replies: (request) =>
        lastUser(request) === 'pay' && !hasResults(request) ? ask('pay') : tell(`said: ${lastUser(request)}`),
    });
    const paying = process.send('pay');
    await started.opened;
    expect((await process.ask('how are you?')).text).toBe('said: how are you?');
    finish.open();
    expect((await paying).text).toBe('said: pay');
    await turnOfTheLoop();
    expect(ran).toBe(1);
  });
});
