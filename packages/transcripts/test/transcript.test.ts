import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countMessages, readTranscript, type TranscriptMessage } from '../src/index.js';

const data =
  process.env['PAGEFAULT_DATA'] ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-transcript-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(content: string | Uint8Array, name = 'talk.jsonl'): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function all(path: string): Promise<TranscriptMessage[]> {
  const messages: TranscriptMessage[] = [];
  for await (const message of readTranscript(path)) messages.push(message);
  return messages;
}

function lines(...records: unknown[]): string {
  return records.map((record) => JSON.stringify(record)).join('\n');
}

describe('a transcript of JSONL messages', () => {
  it('keeps role, text, name, time, session and id', async () => {
    const path = file(
      lines(
        { role: 'user', text: 'Hi', name: 'Ada', time: '2024-03-01T10:00:00+01:00', session: 2, id: 'a' },
        { role: 'assistant', content: 'Hello' },
      ),
    );
    expect(await all(path)).toEqual([
      {
        id: 'talk/a',
        conversation: 'talk',
        role: 'user',
        text: 'Hi',
        name: 'Ada',
        at: Date.UTC(2024, 2, 1, 9),
        session: 'talk/2',
      },
      { id: 'talk/2', conversation: 'talk', role: 'assistant', text: 'Hello' },
    ]);
  });

  it('reads times as UTC when they have no zone, and numbers as seconds or milliseconds', async () => {
    const times = ['2024-01-02', '2024-01-02 00:00:00', 1_704_153_600, 1_704_153_600_000];
    const path = file(lines(...times.map((time) => ({ role: 'user', text: 'x', time }))));
    expect((await all(path)).map(({ at }) => at)).toEqual(times.map(() => Date.UTC(2024, 0, 2)));
  });

  it('takes a byte order mark, CR LF, empty lines, and U+2028 inside a text', async () => {
    const path = file('\uFEFF{"role":"user","text":"a"}\r\n\r\n  \r\n{"role":"user","text":"b\u2028c"}\r\n');
    expect((await all(path)).map(({ text }) => text)).toEqual(['a', 'b\u2028c']);
  });

  it('joins a message that spans many read buffers, and characters that are cut between them', async () => {
    const long = 'ü€😀'.repeat(400_000);
    expect((await all(file(lines({ role: 'user', text: long }))))[0]?.text).toBe(long);
  });

  it('is empty for an empty file', async () => {
    expect(await all(file('\n\n'))).toEqual([]);
  });

  it('gives the same ids in every run', async () => {
    const path = file(lines({ role: 'user', text: 'a' }, { role: 'user', text: 'a' }));
    expect((await all(path)).map(({ id }) => id)).toEqual(['talk/1', 'talk/2']);
    expect(await all(path)).toEqual(await all(path));
  });

  it('counts its messages', async () => {
    expect(await countMessages(file(lines({ role: 'user', text: 'a' }, { role: 'user', text: 'b' })))).toBe(
      2,
    );
  });
});

describe('a transcript with a fault', () => {
  const good = { role: 'user', text: 'a' };

  it.each([
    [
      'a line that is not JSON',
      `${lines(good)}\n\n{"role":`,
      /talk\.jsonl, line 3: the line is not JSON; expected/,
    ],
    ['a line that is no object', '[1]', /line 1: the line holds a list; expected a JSON object/],
    [
      'an unknown role',
      lines(good, { role: 'tool', text: 'x' }),
      /line 2: "role" is "tool"; expected "user" or/,
    ],
    ['no text', lines(good, { role: 'user' }), /line 2: "content" is missing/],
    [
      'white space as text',
      lines({ role: 'user', text: ' \n' }),
      /line 1: "text" is " \\n"; expected a text/,
    ],
    ['a bad time', lines({ ...good, time: 'yesterday' }), /"time" is "yesterday"; expected a time such as/],
    ['an id twice', lines({ ...good, id: 7 }, { ...good, id: 7 }), /line 2: the id "7" was used before/],
    ['an id that a position takes', lines({ ...good, id: 2 }, good), /line 2: the id "2" was used before/],
    [
      'an unknown format',
      lines({ prompt: 'x' }),
      /keys prompt; expected one of: LoCoMo sessions .*BEAM .*JSONL/,
    ],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0xff, 0xfe), /it is not UTF-8 text/],
  ])('names the place of %s', async (_title, content, message) => {
    await expect(all(file(content))).rejects.toMatchObject({
      code: 'E_INVALID',
      message: expect.stringMatching(message) as string,
    });
  });

  it.each([
    ['one JSON document', '[\n  {"role": "user", "text": "a"}\n]', /one JSON object a line; `jq -c/],
    ['an unknown format', lines({ prompt: 'x' }), /a line such as \{"role"/],
    ['one bad line', `${lines(good)}\n{`, /mend line 2/],
  ])('says what to do about %s', async (_title, content, hint) => {
    const refusal = { code: 'E_INVALID', hint: expect.stringMatching(hint) as string };
    await expect(all(file(content))).rejects.toMatchObject(refusal);
  });

  it.each([
    ['no such file', 'nowhere.jsonl'],
    ['it is a folder', '.'],
  ])('says when there is %s', async (why, name) => {
    await expect(all(join(folder, name))).rejects.toMatchObject({
      code: 'E_INVALID',
      message: expect.stringContaining(why) as string,
    });
  });

  it('has already given the messages before the fault', async () => {
    const messages = readTranscript(file(`${lines(good)}\n{`));
    expect((await messages.next()).value).toMatchObject({ text: 'a' });
    await expect(messages.next()).rejects.toMatchObject({ code: 'E_INVALID' });
  });
});

describe('a LoCoMo transcript', () => {
  const session = {
    sample_id: 'conv-1',
    session: 3,
    date_time: '2023-05-08T13:56:00',
    speaker_a: 'Ann',
    speaker_b: 'Bo',
    turns: [
      { dia_id: 'D3:1', speaker: 'Ann', text: 'Look!', image_caption: 'a photo of a dog' },
      { dia_id: 'D3:2', speaker: 'Bo', text: 'Nice.' },
    ],
  };

  it('makes the first speaker the user, adds captions, and spaces turns by a second', async () => {
    const at = Date.UTC(2023, 4, 8, 13, 56);
    const common = { conversation: 'conv-1', session: 'conv-1/session-3' };
    expect(await all(file(lines(session)))).toEqual([
      {
        ...common,
        id: 'conv-1/D3:1',
        role: 'user',
        name: 'Ann',
        at,
        text: 'Look! [image: a photo of a dog]',
      },
      { ...common, id: 'conv-1/D3:2', role: 'assistant', name: 'Bo', at: at + 1000, text: 'Nice.' },
    ]);
  });

  it('refuses a third speaker', async () => {
    const turns = [{ dia_id: 'D1:1', speaker: 'Cy', text: 'Hi' }];
    await expect(all(file(lines({ ...session, turns })))).rejects.toThrow(
      'the speaker is "Cy"; expected "Ann" or "Bo"',
    );
  });

  it('reads the five conversations of the development set', async ({ skip }) => {
    const path = join(data, 'locomo/locomo_sessions.jsonl');
    if (!existsSync(path)) skip(`there is no ${path}; set PAGEFAULT_DATA`);
    const messages = await all(path);
    expect(messages).toHaveLength(2760);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2760);
    expect(new Set(messages.map(({ conversation }) => conversation)).size).toBe(5);
  });
});

describe('a BEAM transcript', () => {
  it('carries times forward, takes batches as sessions, and hides how the set was made', async () => {
    const rows = [
      { id: 0, role: 'user', batch: 1, content: 'a', time_anchor: null, index: '1,1', question_type: 'x' },
      { id: 1, role: 'user', batch: 1, content: 'b', time_anchor: 'March-15-2024' },
      { id: 2, role: 'assistant', batch: 2, content: 'c', time_anchor: null },
    ];
    const at = Date.UTC(2024, 2, 15);
    expect(await all(file(lines(...rows), '01.messages.jsonl'))).toEqual([
      { id: '01/0', conversation: '01', role: 'user', text: 'a', session: '01/batch-1' },
      { id: '01/1', conversation: '01', role: 'user', text: 'b', session: '01/batch-1', at },
      { id: '01/2', conversation: '01', role: 'assistant', text: 'c', session: '01/batch-2', at },
    ]);
  });

  it('refuses a day that is none', async () => {
    const row = { id: 0, role: 'user', batch: 1, content: 'a', time_anchor: 'Mach-15-2024' };
    await expect(all(file(lines(row)))).rejects.toThrow(
      '"time_anchor" is "Mach-15-2024"; expected a day such as',
    );
  });

  it('reads a chat of the 500K set', async ({ skip }) => {
    const path = join(data, 'beam/500K/14.messages.jsonl');
    if (!existsSync(path)) skip(`there is no ${path}; set PAGEFAULT_DATA`);
    const messages = await all(path);
    expect(messages).toHaveLength(1274);
    expect(messages[0]).toMatchObject({ id: '500K-14/0', session: '500K-14/batch-1' });
  });
});
