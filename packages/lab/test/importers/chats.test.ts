import { describe, expect, it } from 'vitest';
import { exactValuesOf } from '../../src/importers/exact-values.js';
import { detect, traceSource } from '../../src/index.js';
import { imported, told, useFolder } from '../support/imports.js';

const folder = useFolder();
const take = async (source: string, content: string | readonly unknown[], name = 'x.json') => {
  const { lines, skipped } = await imported(source, await folder.write(name, content));
  return { told: told(lines), lines, skipped: skipped.map(({ line, why }) => `${line}: ${why}`) };
};
const asIs = (value: unknown) => JSON.stringify(value, undefined, 1);

describe('exact values', () => {
  it('are what is not said by chance: names of code, paths, addresses, numbers', () => {
    const text =
      'see `read_file()` and readFile in src/a.ts, at https://x.org/b?c=1; ask a@b.org on 2026-01-31: W77, 4,711 or 12. And/or: e.g. well-known Words.';
    expect([...exactValuesOf(text)]).toEqual([
      'read_file',
      'readFile',
      'src/a.ts',
      'https://x.org/b?c=1',
      'a@b.org',
      '2026-01-31',
      '4,711',
    ]);
  });
});

describe('ShareGPT', () => {
  const said = (from: string, value: string | null) => ({ from, value });

  it('has a session a chat, whose replies need the newest earlier message with a value that they alone say', async () => {
    const chats = [
      {
        id: 'one',
        conversations: [
          said('system', 'be kind'),
          said('human', 'order W777777?'),
          said('gpt', 'W777777 is item_42'),
          said('human', 'and item_99?'),
          said('gpt', 'unlike item_42, item_99 is not of W777777'),
          said('human', 'what was item_42'),
          said('gpt', 'item_42 was it'),
        ],
      },
      { id: 2, conversations: [said('human', 'item_42?'), said('bard', 'item_42, of W777777')] },
    ];
    const { told: lines } = await take('sharegpt', asIs(chats));
    expect(lines).toEqual([
      'system 2',
      'user 4',
      'step at 0 needs nothing',
      'assistant 5',
      'user 3',
      'step at 10000 needs 2',
      'assistant 11',
      'user 4',
      'step at 20000 needs nothing',
      'assistant 4',
      'session_end',
      'user 2',
      'step at 3630000 needs nothing',
      'assistant 5',
    ]);
    expect(await detect(folder.path('x.json'))).toBe(traceSource('sharegpt'));
  });

  it('passes over chats without a reply and speakers that nobody knows, and says so', async () => {
    const chats = [
      { id: 'a', conversations: [] },
      { conversations: null },
      { id: 'c', conversations: [said('human', 'x'), said('ghost', 'y'), said('GPT', null)] },
    ];
    const { told: lines, skipped } = await take('sharegpt', chats);
    expect(lines).toEqual(['user 1', 'step at 0 needs nothing', 'assistant 0']);
    expect(skipped).toEqual([
      '1: nobody replies in it',
      '2: nobody replies in it',
      '3: it is not known who "ghost" is',
    ]);
    await expect(take('sharegpt', '[{"conversations":[{"from":1}]}]')).rejects.toThrow(
      /x\.json, line 1, object 1, field conversations\.0\.from/,
    );
    expect((await take('sharegpt', '')).told).toEqual([]);
  });
});

describe('WildChat', () => {
  const row = (times: readonly (string | number | null)[]) => ({
    conversation_hash: 'abc',
    model: 'gpt-4',
    conversation: times.map((timestamp, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: at === 1 ? 'see line_12' : 'line_12!',
      timestamp,
      toxic: false,
    })),
  });

  it('has a session a row, with times where they are told', async () => {
    const rows = [
      row([null, '2023-04-09T00:02:53+00:00', null, '2023-04-09T00:03:53+00:00']),
      row([null, 1_681_000_000, null, 1_681_000_005_000]),
      row([null, null]),
    ];
    const { told: lines } = await take('wildchat', rows);
    expect(lines.filter((one) => /step|_end/.test(one))).toEqual([
      'step at 0 needs nothing',
      'step at 60000 needs nothing',
      'session_end',
      'step at 3660000 needs nothing',
      'step at 3665000 needs nothing',
      'session_end',
      'step at 7275000 needs nothing',
    ]);
    expect(await detect(folder.path('x.json'))).toBe(traceSource('wildchat'));
  });

  it('says which row is wrong, and which importer the file is for', async () => {
    const wrong = [row([null, null]), { conversation: [{ role: 'someone' }] }];
    await expect(take('wildchat', wrong)).rejects.toThrow(/line 2, object 2, field conversation\.0\.role/);
    await expect(
      take('wildchat', [{ conversations: [{ from: 'human', value: 'x' }] }]),
    ).rejects.toMatchObject({
      hint: 'it looks like a file for sharegpt',
    });
    await expect(take('wildchat', JSON.stringify(row([null, null])).slice(0, -9))).rejects.toThrow(/cut off/);
  });
});

describe('Multi-Session Chat', () => {
  const dialog = (...texts: readonly string[]) => ({ dialog: texts.map((text) => ({ text })) });

  it('has a session a row: the persona of who replies, the sittings in a row, and a question about them', async () => {
    const row = {
      personas: [['I like tea.'], ['I was born in 1984.', 'I fish.']],
      previous_dialogs: [dialog('hi!!', 'room_12 is mine'), dialog('so?!', 'well', 'bye!')],
      dialog: [
        { text: 'back', id: 'Speaker 1' },
        { text: 'yes!', id: 'Speaker 2' },
      ],
      metadata: { initial_data_id: 'train_1', session_id: 3 },
      self_instruct: { B: 'which?', A: 'room_12, since 1984' },
    };
    const { told: lines, lines: made } = await take('msc', [row]);
    expect(lines).toEqual([
      'system 7',
      'user 1',
      'step at 0 needs nothing',
      'assistant 4',
      'task_switch',
      'user 1',
      'step at 3600000 needs nothing',
      'assistant 1',
      'user 1',
      'task_switch',
      'user 1',
      'step at 7200000 needs nothing',
      'assistant 1',
      'task_switch',
      'user 2',
      'step at 10800000 needs 0 2',
      'assistant 5',
    ]);
    expect(made[1]).toMatchObject({ session: 'train_1-1' });
    expect(await detect(folder.path('x.json'))).toBe(traceSource('msc'));
  });

  it('is told who speaks by name, and takes a first session, which has nothing before it', async () => {
    const row = {
      init_personas: null,
      previous_dialogs: [],
      dialog: [
        { text: 'a', id: 'bot_1' },
        { text: 'b', id: 'bot_0' },
        { text: null, id: 'bot_1' },
      ],
    };
    const { told: lines } = await take('msc', [row]);
    expect(lines.filter((one) => !one.startsWith('step'))).toEqual(['assistant 1', 'user 1', 'assistant 0']);
  });
});
