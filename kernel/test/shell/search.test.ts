/** What a search finds, the same on every store. */
import { createMemoryArchival } from '@pagefault/driver-memory';
import type { RecallDriver } from '@pagefault/contracts';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { virtualClock } from '../../src/virtual-clock.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import type { SearchResults } from '../../src/core/search-results.js';
import { themeEmbedder } from '../support/embedding.js';
import { ask, hasResults, startKernel, type StackOptions, tell } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const open: Kernel[] = [];
afterEach(async () => {
  for (const kernel of open.splice(0)) await kernel.close();
});

async function start(recall: RecallDriver, options: StackOptions = {}): Promise<Process> {
  const { kernel } = await startKernel({ recall, ...options });
  open.push(kernel);
  return kernel.spawn();
}

const texts = ({ hits }: SearchResults) => hits.map(({ text }) => text);
const day = (date: string) => Date.parse(`${date}T12:00:00Z`);

const FOUND = [
  ['Korean without its particle (D01)', '수급자의 신청서', '수급자'],
  ['two Chinese characters in a long run (D01, D03)', '请把设备清单发给我', '设备'],
  ['all of a run of Chinese characters (D03)', '飞书插件配置', '飞书插件配置'],
  ['one Chinese character', '一只黑猫', '猫'],
  ['Japanese', '東京タワーに行きました', 'タワー'],
  ['two Latin characters (D03)', 'the db is down', 'db'],
  ['a percent sign literally (D08)', '100% wool', '100%'],
  ['an underscore literally (D08)', 'run test_ first', 'test_'],
  [
    'a word in marks that mean something elsewhere (D04, D05)',
    'publishing for the admin',
    '"publishing" AND auth|admin',
  ],
  ['a word beside colons and quotes (D04)', 'alice went home', "alice::bob'"],
  ['a band of function words (D06)', 'We saw The Who on Friday', 'The Who'],
  ['a sentence of function words (D06)', 'to be or not to be', 'to be or not to be'],
  ['accents without accents', 'Zoë sells crêpes', 'zoe crepes'],
  ['a word without accents by one with', 'the resume is here', 'résumé'],
  ['a composed letter by its parts', 'caf\u00e9', 'cafe\u0301'],
  ['full-width digits by plain ones', 'room ４２', '42'],
  ['an emoji', 'see you 🎉', '🎉'],
  ['an exact marker among questions (D17)', 'The code is MARKER_1777.', 'what is MARKER_1777?'],
] as const;

onEachStore('a search', (createRecall) => {
  const find = async (said: readonly string[], query: string) => {
    const process = await start(createRecall());
    await process.append(said.map((text) => ({ text })));
    return process.search({ collection: 'messages', query });
  };

  let everything: Promise<Process> | undefined;
  const sayAll = async () => {
    const { kernel } = await startKernel({ recall: createRecall() });
    const process = await kernel.spawn();
    await process.append(FOUND.map(([, text], i) => ({ text, session: `${i}` })));
    return process;
  };

  it.each(FOUND)('finds %s', async (_, said, query) => {
    const process = await (everything ??= sayAll());
    expect(texts(await process.search({ collection: 'messages', query }))[0]).toBe(said);
  });

  it.each(['', ' ', '!', '\\', '%', '_', "'", '"', '((', '\u0000'])(
    'finds nothing for %j, without an error',
    async (query) => {
      const { total, hits } = await find(['100% wool', 'test_', "it's"], query);
      expect([total, hits]).toEqual([0, []]);
    },
  );

  it('puts the answer above chatty rows of function words (D07)', async () => {
    const chatty = Array.from({ length: 30 }, (_, i) => `what is it that is my own, and what is his, ${i}`);
    expect(texts(await find([...chatty, 'my dog is called Rex'], "what is my dog's name"))[0]).toContain(
      'Rex',
    );
  });

  it('goes by instants, the end not included, however they are written (D11, gap 4)', async () => {
    const process = await start(createRecall());
    const at = day('2024-03-10');
    await process.append([-1, 0, 1].map((offset) => ({ text: `alpaca ${offset}`, at: at + offset })));
    const within = async (since: string, until: string) =>
      (
        await process.search({
          collection: 'messages',
          query: 'alpaca',
          since: Date.parse(since),
          until: Date.parse(until),
        })
      ).total;
    expect(await within('2024-03-10T12:00:00.000Z', '2024-03-10T12:00:00.001Z')).toBe(1);
    expect(await within('2024-03-10T05:00:00.000-07:00', '2024-03-10T17:30:00.001+05:30')).toBe(1);
  });

  it("goes by days of the user's calendar, both included (D12, D13, gap 4)", async () => {
    const process = await start(createRecall(), { zone: 'America/Bogota' });
    const late = Date.parse('2024-03-11T04:30:00Z'); // 23:30 on the 10th
    await process.append([{ text: 'alpaca', at: late }]);
    const on = async (date: string, zone?: string, query?: string) => {
      const request = { collection: 'messages', days: { from: date, to: date } } as const;
      return (await process.search({ ...request, ...(zone && { zone }), ...(query && { query }) })).total;
    };
    expect([await on('2024-03-10'), await on('2024-03-11')]).toEqual([1, 0]);
    expect([await on('2024-03-10', 'UTC'), await on('2024-03-11', 'UTC')]).toEqual([0, 1]);
    expect([
      await on('2024-03-10', undefined, 'alpaca'),
      await on('2024-03-11', undefined, 'alpaca'),
    ]).toEqual([1, 0]);
  });

  it("finds what was said yesterday, by the user's calendar, and what is said of it elsewhere (D13)", async () => {
    const now = Date.parse('2024-03-11T15:00:00Z');
    const process = await start(createRecall(), { zone: 'America/Bogota', clock: virtualClock(now) });
    await process.append([
      { text: 'Rex was ill', at: day('2024-01-05'), session: 'a' },
      { text: 'Rex is well', at: Date.parse('2024-03-11T04:30:00Z'), session: 'b' }, // 23:30 on the 10th
      { text: 'Rex barks', at: Date.parse('2024-03-11T06:00:00Z'), session: 'c' },
    ]);
    for (const query of ['Rex yesterday', 'Rex on 2024-03-10', 'Rex 2024年3月10日']) {
      const found = await process.search({ collection: 'messages', query });
      expect([texts(found)[0], found.total]).toEqual(['Rex is well', 3]);
    }
    const nothing = await process.search({ collection: 'messages', query: 'llamas yesterday' });
    expect(nothing).toMatchObject({ total: 1, wordMatch: false });
  });

  it('lists what was said in a range of time without a query, oldest first, and not what memory put back (A60)', async () => {
    const process = await start(createRecall(), {
      replies: (request) =>
        hasResults(request) ? tell('Found.') : ask('conversation_search', { query: 'alpaca' }),
    });
    await process.append([
      { text: 'an alpaca', at: day('2024-03-10') },
      { text: 'a boat', at: day('2024-03-11') },
    ]);
    await process.send('Look for it.');
    const listed = await process.search({ collection: 'messages' });
    expect(listed.hits.map(({ role }) => role)).toEqual(['user', 'user', 'user', 'assistant', 'assistant']);
    expect(listed.total).toBe(5);
    const days = { from: '2024-03-10', to: '2024-03-10' };
    expect(texts(await process.search({ collection: 'messages', days }))).toEqual(['an alpaca']);
  });

  it('lists passages too', async () => {
    const process = await start(createRecall());
    await process.append([{ text: 'a message' }]);
    await process.archive(Array.from({ length: 5 }, (_, i) => ({ text: `passage ${i}` })));
    const first = await process.search({ collection: 'passages', size: 3 });
    expect([first.total, texts(first)]).toEqual([5, ['passage 0', 'passage 1', 'passage 2']]);
    const { cursor = '' } = first;
    const rest = await process.search({ collection: 'passages', size: 3, cursor });
    expect([texts(rest), rest.page, rest.cursor]).toEqual([['passage 3', 'passage 4'], 1, undefined]);
  });

  it('shows what was said again as one hit: the newest, with how many there are (A60)', async () => {
    const process = await start(createRecall());
    await process.append([
      { text: 'Rex is ill.', id: 'first' },
      { text: 'a boat' },
      { text: 'rex is  ill', id: 'second' },
      { text: 'Rex is ill.', id: 'of-bob', name: 'Bob' },
      { text: 'Is Rex ill?', id: 'question' },
    ]);
    const { total, hits } = await process.search({ collection: 'messages', query: 'Rex' });
    const found = hits.filter(({ text }) => /rex/i.test(text)).map(({ id, times }) => [id, times]);
    expect(found.toSorted()).toEqual([
      ['of-bob', undefined],
      ['question', undefined],
      ['second', 2],
    ]);
    expect(total).toBe(4); // and the boat, beside which it was said
  });

  it('has a true total: so many results do its pages have', async () => {
    const process = await start(createRecall());
    await process.append(Array.from({ length: 25 }, (_, i) => ({ text: `alpaca ${i % 20}` })));
    const pages = await Promise.all(
      [0, 1, 2, 3, 4, 5].map((page) =>
        process.search({ collection: 'messages', query: 'alpaca', page, size: 4 }),
      ),
    );
    expect(pages.map(({ total, pages: count }) => [total, count])).toEqual(pages.map(() => [20, 5]));
    expect(pages.map(({ hits }) => hits.length)).toEqual([4, 4, 4, 4, 4, 0]);
    expect(new Set(pages.flatMap(texts)).size).toBe(20);
    expect(pages.map(({ cursor }) => cursor !== undefined)).toEqual([true, true, true, true, false, false]);
  });

  it('goes on by its cursor without a gap or a repeat while messages come and vectors arrive', async () => {
    const archival = createMemoryArchival({ dimension: 4 });
    const recall = createRecall();
    const { kernel } = await startKernel({ recall, archival, embedder: themeEmbedder() });
    open.push(kernel);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }),
        fc.array(fc.nat(3), { maxLength: 4 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (before, between, size, byQuery) => {
          const process = await kernel.spawn();
          const say = (kind: number, i: number) => ({
            text: `${['alpaca', 'herd', 'boat', 'tea'][kind]} ${i}`,
          });
          await process.append(before.map(say));
          if (byQuery) await kernel.settle();
          const request = { collection: 'messages', size, ...(byQuery && { query: 'alpaca' }) } as const;
          const whole = await process.search({ ...request, size: 1_000 });
          const seen: string[] = [];
          for (let cursor: string | undefined, page = 0; ; page++) {
            const results = await process.search({ ...request, ...(cursor && { cursor }) });
            expect(results).toMatchObject({ total: whole.total, page, wordMatch: whole.wordMatch });
            seen.push(...results.hits.map(({ handle }) => handle));
            cursor = results.cursor;
            if (cursor === undefined) break;
            await process.append(between.map((kind, i) => say(kind, 100 * (page + 1) + i)));
            await kernel.settle();
          }
          expect(seen).toEqual(whole.hits.map(({ handle }) => handle));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('goes on by a cursor of before a restart, and in no other search', async () => {
    const recall = createRecall();
    const process = await start(recall);
    const other = await open[0]?.spawn();
    await process.append(Array.from({ length: 5 }, (_, i) => ({ text: `alpaca ${i}` })));
    const { cursor = '' } = await process.search({ collection: 'messages', query: 'alpaca', size: 2 });
    for (const wrong of [{ query: 'alpacas' }, { query: 'alpaca', since: 0 }, {}]) {
      const search = process.search({ collection: 'messages', size: 2, cursor, ...wrong });
      await expect(search).rejects.toMatchObject({ code: 'E_INVALID' });
    }
    const request = { collection: 'messages', query: 'alpaca', cursor } as const;
    await expect(other?.search(request)).rejects.toMatchObject({ code: 'E_INVALID' });
    await expect(process.search({ ...request, page: 1 })).rejects.toThrow('both a page and a cursor');
    expect((await process.search(request)).hits).toHaveLength(3);
  });

  it('says whether a word of the query matched, or what it found is near in meaning alone', async () => {
    const archival = createMemoryArchival({ dimension: 4 });
    const { kernel } = await startKernel({ recall: createRecall(), archival, embedder: themeEmbedder() });
    open.push(kernel);
    const process = await kernel.spawn();
    await process.append([{ text: 'Our herd grew by two.' }, { text: 'a boat', at: day('2020-01-01') }]);
    await kernel.settle();
    const asked = async (query: string, until = Infinity) =>
      process.search({ collection: 'messages', query, ...(until < Infinity && { until }) });
    expect(await asked('herd')).toMatchObject({ wordMatch: true });
    const near = await asked('alpaca');
    expect(near).toMatchObject({ wordMatch: false });
    expect(texts(near)[0]).toBe('Our herd grew by two.');
    expect(await asked('herd', day('2021-01-01'))).toMatchObject({ total: 1, wordMatch: false });
  });

  it('refuses a page, a size, a day or a zone that is none', async () => {
    const process = await start(createRecall());
    const refused = async (wrong: object) =>
      expect(process.search({ collection: 'messages', query: 'x', ...wrong })).rejects.toMatchObject({
        code: 'E_INVALID',
      });
    for (const wrong of [
      { page: -1 },
      { page: 1.5 },
      { size: 0 },
      { size: 1_001 },
      { days: { from: 'yesterday', to: '2024-01-01' } },
      { days: { from: '2024-01-01', to: '2024-01-02' }, zone: 'Mars/Olympus' },
      { cursor: 'x' },
    ])
      await refused(wrong);
  });

  it('does not find the words with which the model writes to memory, but those that it was told (A60)', async () => {
    const process = await start(createRecall(), {
      replies: (request) =>
        hasResults(request)
          ? tell('Noted.')
          : {
              calls: [
                {
                  name: 'core_memory_append',
                  arguments: { name: 'human', content: 'Breeds alpacas in Cork' },
                },
                {
                  name: 'archival_memory_insert',
                  arguments: { content: 'The user breeds alpacas in Cork.' },
                },
                {
                  name: 'set_timer',
                  arguments: {
                    text: 'Ask about the alpacas in Cork.',
                    in_seconds: 3_600,
                    request_heartbeat: true,
                  },
                },
              ],
            },
    });
    await process.send('I breed alpacas in Cork.');
    const { hits } = await process.search({ collection: 'messages', query: 'alpacas Cork' });
    expect(hits.filter(({ text }) => text.includes('alpaca')).map(({ role }) => role)).toEqual(['user']);
    expect((await process.search({ collection: 'passages', query: 'alpacas' })).total).toBe(1);
    const listed = await process.search({ collection: 'messages' });
    expect(listed.hits.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });
});

describe('a search over more than can be ranked', () => {
  it('says how many were left out, and chooses from the time range before it leaves any out', async () => {
    const { createMemoryRecall } = await import('@pagefault/driver-memory');
    const process = await start(createMemoryRecall());
    const old = day('2020-01-01');
    await process.append([{ text: 'alpaca long ago', at: old, session: 'old' }]);
    for (let from = 0; from < 2_100; from += 700) {
      await process.append(
        Array.from({ length: 700 }, (_, i) => ({ text: `alpaca ${from + i}`, at: day('2024-01-01') })),
      );
    }
    const all = await process.search({ collection: 'messages', query: 'alpaca' });
    expect(all).toMatchObject({ total: 2_000, unranked: 101 });
    const early = await process.search({ collection: 'messages', query: 'alpaca', until: day('2021-01-01') });
    expect(early).toMatchObject({ total: 1, hits: [{ text: 'alpaca long ago' }] });
    expect(early.unranked).toBeUndefined();
  });
});
