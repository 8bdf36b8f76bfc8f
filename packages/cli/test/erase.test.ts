import type { ErasureReport } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { renderErasure } from '../src/commands/erase/report.js';
import { createWorld, type RunOptions, type World } from './support/world.js';

let world: World;
beforeEach(async () => {
  world = createWorld();
  const ada = await (await world.kernel()).spawn({ name: 'ada' });
  await ada.append([
    { role: 'user', name: 'Eve', text: 'My number is 4711.', id: 'first' },
    { role: 'user', name: 'Bob', text: 'Mine is 0815.', id: 'second' },
  ]);
  await ada.archive([{ id: 'p1', text: 'Alpacas hum.', source: 'farm.md' }]);
});
afterEach(() => world.close());

const erase = (args: readonly string[], options: RunOptions = {}) => world.run(['erase', ...args], options);
/** What is in the log of ada. */
const said = async () => {
  const ada = await (await world.kernel()).find('ada');
  const { hits = [] } = (await ada?.search({ collection: 'messages', query: 'number mine' })) ?? {};
  return hits.map(({ text }) => text).toSorted();
};
const rows = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/ {2,}/));

describe('erase', () => {
  it('erases a message by its handle, and tells in a table what went', async () => {
    const { code, stdout } = await erase(['ada', '--message', 'm1', '--yes']);
    expect(code).toBe(0);
    expect(rows(stdout)).toEqual([
      ['process', 'erased', 'messages', 'pages', 'vectors'],
      ['ada', 'yes', '1', '1', '1'],
    ]);
    expect(await said()).toEqual(['Mine is 0815.']);
  });

  it('erases several by id, a speaker, a source, and passages', async () => {
    const counts = async (...args: string[]) => {
      const { stdout, stderr } = await erase([...args, '--process', 'ada', '--yes', '--json']);
      expect(stderr).toBe('');
      const { reports } = JSON.parse(stdout) as { readonly reports: readonly ErasureReport[] };
      return reports.map(({ name, erased }) => [name, erased.messages, erased.passages]);
    };
    expect(await counts('--message', 'first', 'second')).toEqual([['ada', 2, 0]]);
    const ada = await (await world.kernel()).find('ada');
    await ada?.append([{ role: 'user', name: 'Eve', text: 'It is 4711.' }]);
    expect(await counts('--speaker', 'Eve')).toEqual([['ada', 1, 0]]);
    expect(await counts('--source', 'farm.md')).toEqual([['ada', 0, 1]]);
    await ada?.archive([{ id: 'p2', text: 'Llamas too.' }]);
    expect(await counts('--passage', 'p2')).toEqual([['ada', 0, 1]]);
  });

  it('erases what one said in all processes', async () => {
    const bob = await (await world.kernel()).spawn({ name: 'bob' });
    await bob.append([{ role: 'user', name: 'Eve', text: 'Call me at 4711.' }]);
    const { stdout } = await erase(['--speaker', 'Eve', '--everywhere', '--yes']);
    expect(rows(stdout).slice(1)).toEqual([
      ['ada', 'yes', '1', '1', '1'],
      ['bob', 'yes', '1', '1', '1'],
    ]);
    expect((await erase(['--speaker', 'Eve', '--everywhere', '--yes'])).stdout).toBe('nothing was found\n');
  });

  it('erases a whole process, and its forks only when it is told to', async () => {
    const ada = await (await world.kernel()).find('ada');
    await ada?.fork({ name: 'try' });
    const refused = await erase(['ada', '--whole', '--yes']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/has 1 forks[^]*try/);
    const { stdout } = await erase(['ada', '--whole', '--cascade', '--yes']);
    expect(rows(stdout).map(([name, whole]) => [name, whole])).toEqual([
      ['process', 'erased'],
      ['ada', 'whole'],
      ['└ try', 'whole'],
    ]);
    expect(await (await world.kernel()).list()).toEqual([]);
  });

  it('says what to do when nobody is there to be asked, and erases nothing', async () => {
    const { code, stdout, stderr } = await erase(['ada', '--speaker', 'Eve']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/all that "Eve" said of process "ada" for good[^]*hint: add --yes/);
    expect(await said()).toHaveLength(2);
  });

  it.each([
    ['y\n', 0, 1],
    ['Yes\n', 0, 1],
    ['n\n', 1, 2],
    ['\n', 1, 2],
    ['', 1, 2],
  ])('asks who sits at a terminal, and takes %j for an answer', async (input, code, left) => {
    const result = await erase(['ada', '--message', 'm1'], { isTyped: true, input });
    expect(result.stderr).toMatch(/^This erases message m1 of process "ada" for good\. Go on\? \[y\/N\] /);
    expect(result.code).toBe(code);
    expect(await said()).toHaveLength(left);
    if (code === 1) expect(result.stderr).toMatch(/nothing was erased/);
  });

  it.each([
    [['ada'], /exactly one of --message, --speaker, --source, --passage, --history, --whole; there is none/],
    [['ada', '--whole', '--speaker', 'x'], /there is --speaker and --whole/],
    [['--everywhere', '--source', 'x'], /--everywhere goes with --speaker/],
    [['ada', '--cascade', '--source', 'x'], /--cascade goes with --whole/],
    [['eve', '--whole', '--yes'], /there is no process "eve"[^]*processes: ada/],
    [['ada', '--message', 'm99', '--yes'], /m99/],
    [['ada', '--speaker', 'Zoe', '--yes'], /Zoe/],
  ])('refuses %j', async (args, says) => {
    const result = await erase(args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(says);
  });

  it('ends with 1 when not all is done, and lists what is left to do', async () => {
    const kernel = await world.kernel();
    const report = await (await kernel.find('ada'))?.erase({ messages: ['first'] });
    if (!report) throw new Error('no report');
    const left: ErasureReport = {
      ...report,
      done: false,
      open: ['the index does not answer'],
      summary: 'made-again',
      recordings: { deleted: ['a.jsonl'], elsewhere: ['the moon'] },
      quotedBy: {
        ...report.quotedBy,
        blocks: ['human'],
        timers: ['t1', 't2'],
        waiting: ['w'],
        documents: ['diary'],
        complete: false,
      },
      sharedBlocks: ['plan'],
      atAncestors: [{ pid: 'p', count: 1_200 }],
      descendants: [report],
    };
    expect(renderErasure([left]).split('\n')).toEqual([
      'process  erased       messages  pages  vectors  summary',
      'ada      not all yet         1      1        1  made again',
      '└ ada    yes                 1      1        1',
      'ada: not done yet: the index does not answer',
      'ada: recording deleted: a.jsonl',
      'ada: recordings were made in the moon: delete them there',
      'ada: still quoted by block human: edit or erase it',
      'ada: still quoted by timer t1, t2: edit or erase it',
      'ada: still quoted by waiting message w: edit or erase it',
      'ada: still quoted by document diary: edit or erase it',
      'ada: others may quote it too: more went than is looked for',
      'ada: what it wrote into shared block plan stays there',
      'ada: 1,200 more in the log of ancestor p: erase it there',
    ]);
    kernel.eraseSpeaker = async () => [left];
    expect((await erase(['--speaker', 'Eve', '--everywhere', '--yes'])).code).toBe(1);
  });
});
