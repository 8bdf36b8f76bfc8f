import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { extractive, POLICIES, recordToFile } from '@pagefault/kernel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cells } from '../src/commands/vmstat.js';
import { createWorld, type World } from './support/world.js';

let folder = '';
let world: World;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-commands-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.close());

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** `count` messages, in turns of two speakers. */
function talk(name: string, count: number): string {
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `message ${index + 1} about alpacas`,
    }),
  );
  return file(`${name}.jsonl`, lines.join('\n'));
}

const parsed = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('the command line', () => {
  it('lists the commands when one is not known, and ends with 2', async () => {
    const { code, stdout, stderr } = await world.run(['chta']);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/unknown command 'chta'/);
    expect(stderr).toMatch(/Did you mean chat\?/);
    expect(stderr).toMatch(
      /commands: chat, ask, feed, serve, timer, ps, spawn, fork, pause, resume, kill, mask, unmask, rename, use, erase, pmap, vmstat, block, recall, archive, map, unmap, doctor, fsck, migrate, rerun, eval, lab/,
    );
  });

  it.each([
    [['ps', '--windo', '3'], /unknown option '--windo'/],
    [['chat', '--window', 'many'], /It must be a whole number from 1/],
    [['chat', '--window', '-4'], /It must be a whole number from 1/],
    [['feed'], /missing required argument 'files'/],
    [['recall', 'search', 'x', '--since', 'yesterday'], /It must be a time such as/],
    [['vmstat', '--interval', '0'], /It must be a number above 0/],
    [['recall'], /search .* search the messages/],
    [[], /Usage: pagefault/],
  ])('ends with 2 and says what is wrong with %j', async (args, message) => {
    const { code, stdout, stderr } = await world.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('shows help and version on standard output', async () => {
    expect(await world.run(['--help'])).toMatchObject({ code: 0, stderr: '' });
    expect((await world.run(['feed', '--help'])).stdout).toMatch(/--respond/);
    expect((await world.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('hands options to the configuration', async () => {
    await world.run(['ps', '--config', 'a.json', '--data', 'd', '--window', '4_096', '--json']);
    await world.run(['chat', '--processor', 'reflex', '--record', 'r']);
    expect(world.asked[0]).toMatchObject({ configFile: 'a.json', overrides: { data: 'd', window: 4096 } });
    expect(world.asked[1]?.overrides).toEqual({ processor: 'reflex', record: 'r' });
  });

  it('prints an error with its hint, for programs as JSON, and a stack only when asked to', async () => {
    const people = await world.run(['pmap', 'nobody']);
    expect(people).toMatchObject({ code: 1, stdout: '' });
    expect(people.stderr).toMatch(/^error\[E_NOT_FOUND\]: /);
    expect(people.stderr).not.toMatch(/\n +at /);
    const programs = await world.run(['ask', 'x', '--discard', '--json']);
    expect(JSON.parse(programs.stderr)).toMatchObject({ error: { code: 'E_NOT_FOUND', hint: /./ } });
    const debug = await world.run(['pmap', 'nobody'], { env: { PAGEFAULT_DEBUG: '1' } });
    expect(debug.stderr).toMatch(/\n +at /);
  });
});

interface Fed {
  readonly conversations: readonly { readonly appended: number; readonly messages: number }[];
}

describe('feed', () => {
  it('makes a process for each conversation and says what it did', async () => {
    const { code, stdout } = await world.run(['feed', talk('a', 40), talk('b', 3)]);
    expect(code).toBe(0);
    const [titles, ...rows] = stdout.trim().split('\n');
    expect(titles).toMatch(/conversation +appended +skipped +in recall +flushes +largest request +budget/);
    expect(rows.map((row) => row.split(/ {2,}/).slice(0, 5))).toEqual([
      ['a', '40', '0', '40', '0'],
      ['b', '3', '0', '3', '0'],
    ]);
  });

  it('says which keys of a transcript it does not read, and how a time is to be named', async () => {
    const keys = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, i]));
    const path = file(
      'keys.jsonl',
      [
        { role: 'user', text: 'one', timestamp: '2023-05-08T13:56:00Z' },
        { role: 'user', text: 'two', timestamp: '2023-05-08T13:57:00Z', ...keys },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    );
    const { code, stderr } = await world.run(['feed', path]);
    expect(code).toBe(0);
    expect(stderr).toContain(`${path}: "timestamp" is not read (in 2 lines); name it "time" to have it`);
    expect(stderr).toContain(`${path}: "k0" is not read (in one line)\n`);
    expect(stderr).toContain(`${path}: nor are 2 other keys\n`);
    const good = await world.run(['feed', talk('known', 3)]);
    expect(good.stderr).not.toContain('is not read');
  });

  it('appends nothing the second time', async () => {
    const path = talk('twice', 40);
    await world.run(['feed', path]);
    const { stdout } = await world.run(['feed', path, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      conversations: [{ appended: 0, skipped: 40, messages: 40, peak: 0 }],
    });
  });

  it('never infers, and no request is over the budget', async () => {
    await world.close();
    const processor = createScriptedProcessor({ replies: [], window: 3200, maxOutput: 256 });
    world = createWorld({ processor, summariser: extractive });
    const { stdout } = await world.run(['feed', talk('long', 120), '--json']);
    const [report] = (JSON.parse(stdout) as { conversations: Record<string, number>[] }).conversations;
    expect(processor.requests).toEqual([]);
    expect(report).toMatchObject({ appended: 120, requests: 120 });
    expect(report?.['flushes']).toBeGreaterThan(0);
    expect(report?.['peak']).toBeLessThanOrEqual(report?.['budget'] ?? 0);
  });

  it('acknowledges each batch with its last message', async () => {
    const { stdout, stderr } = await world.run(['feed', talk('acks', 70), '--ack']);
    expect(parsed(stdout)).toMatchObject(
      ['acks/32', 'acks/64', 'acks/70'].map((last) => ({ type: 'ack', process: 'acks', last })),
    );
    expect(stderr).toMatch(/in recall/);
  });

  it('goes on where an interrupt stopped it', async () => {
    const path = talk('stopped', 90);
    const kernel = await world.kernel();
    let seen = 0;
    const onStart = (interrupt: () => void) => {
      kernel.bus.on('turn-result', () => (seen += 1) === 40 && interrupt());
    };
    const stopped = await world.run(['feed', path, '--json'], { onStart });
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toMatch(/stopped; run the same command again to go on/);
    const [done] = (JSON.parse(stopped.stdout) as Fed).conversations;
    expect(done?.messages).toBe(done?.appended);
    expect(done?.messages).toBeLessThan(90);
    const { stdout } = await world.run(['feed', path, '--json']);
    const [rest] = (JSON.parse(stdout) as Fed).conversations;
    expect(rest).toMatchObject({
      appended: 90 - (done?.messages ?? 0),
      skipped: done?.messages,
      messages: 90,
    });
  });

  it('has user messages answered with --respond, each once', async () => {
    const path = talk('respond', 4);
    const args = ['feed', path, '--process', 'one', '--respond', '--json'];
    const [first, second] = [await world.run(args), await world.run(args)].map(
      ({ stdout }) => JSON.parse(stdout) as object,
    );
    expect(first).toMatchObject({
      conversations: [{ process: 'one', appended: 2, answered: 2, skipped: 0 }],
    });
    expect(second).toMatchObject({ conversations: [{ appended: 0, answered: 0, skipped: 4 }] });
  });

  it('skips with --respond what an earlier run took in without an answer', async () => {
    await world.run(['feed', talk('later', 2)]);
    const { code, stdout } = await world.run(['feed', talk('later', 4), '--respond', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ conversations: [{ appended: 1, answered: 1, skipped: 2 }] });
  });

  it('stores nothing of files of which one has a bad line', async () => {
    const bad = file('bad.jsonl', '{"role":"user","text":"a"}\n{"role":');
    const { code, stderr } = await world.run(['feed', talk('good', 40), bad]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/bad\.jsonl, line 2: the line is not JSON/);
    expect(await (await world.kernel()).list()).toEqual([]);
  });
});

describe('ask', () => {
  it('prints the answer; with --discard recall stays as it was', async () => {
    await world.run(['chat'], { input: 'I breed alpacas in Cork.\n' });
    const recall = async () =>
      (JSON.parse((await world.run(['pmap', '--json'])).stdout) as { messages: number }).messages;
    const before = await recall();
    const { code, stdout } = await world.run(['ask', '--discard', 'What', 'do I breed?']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/alpacas/);
    expect(await recall()).toBe(before);
    await world.run(['ask', 'What do I breed?']);
    expect(await recall()).toBeGreaterThan(before);
  });

  it('gives programs one document, and fails without an answer', async () => {
    await world.close();
    world = createWorld({
      processor: createScriptedProcessor({ replies: [{ text: 'No.', reason: 'refused' }] }),
    });
    const { code, stdout, stderr } = await world.run(['ask', 'hello', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'refused' });
    expect(stderr).toMatch(/^\[refused: /);
    expect(code).toBe(1);
  });

  it('makes no process for what is thrown away', async () => {
    const { code, stderr } = await world.run(['ask', '--discard', 'hello']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/there is no process "default"\n.*`pagefault chat` begins one/);
    expect(await (await world.kernel()).list()).toEqual([]);
  });
});

describe('looking into a machine', () => {
  beforeEach(() => world.run(['feed', talk('seen', 6)]));

  it('lists processes', async () => {
    const { stdout } = await world.run(['ps']);
    expect(stdout).toMatch(/^name +pid +created +messages/);
    expect(stdout).toMatch(/^seen +[0-9a-f-]{36} +2024-03-01 00:00 +6 .* attached$/m);
    expect(JSON.parse((await world.run(['ps', '--json'])).stdout)).toMatchObject([
      { name: 'seen', messages: 6, running: true },
    ]);
  });

  it('shows segments as bars, and each page with where it is', async () => {
    const { stdout } = await world.run(['pmap', 'seen']);
    expect(stdout).toMatch(/^seen .*, policy fifo$/m);
    expect(stdout).toMatch(/^pressure +█.* [\d,]+ +\d+\.\d %$/m);
    expect(stdout).toMatch(/^ +6 +assistant +resident.* 6 +\d+ +█/m);
    const map = JSON.parse((await world.run(['pmap', '--process', 'seen', '--json'])).stdout) as object;
    expect(map).toMatchObject({ name: 'seen', messages: 6 });
  });

  it('counts since the row before, and as JSON since the beginning', async () => {
    await world.run(['chat', '--process', 'seen'], { input: 'Hello!\n' });
    const { stdout } = await world.run(['vmstat', '--interval', '0.01', '--count', '3']);
    const [titles, ...rows] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(/ +/));
    expect(titles?.join(' ')).toMatch(/^procs messages passages turns cycles/);
    // The fourth column: turns.
    expect(rows.map((row) => row[3])).toEqual(['1', '0', '0']);
    const json = parsed((await world.run(['vmstat', '--count', '2', '--interval', '0.01', '--json'])).stdout);
    expect(json).toHaveLength(2);
    expect(json[1]).toMatchObject({ processes: 1, counters: { turns: 1 } });
  });

  it('keeps the columns of vmstat apart, however wide a number is', () => {
    const row = cells(['1', '881', '123,456,789,012', '7']);
    expect(row.trim().split(/ +/)).toEqual(['1', '881', '123,456,789,012', '7']);
  });

  it('searches messages page by page', async () => {
    const first = await world.run(['recall', 'search', 'alpacas', '--process', 'seen', '--size', '4']);
    expect(first.stdout).toMatch(/^m\d .*\n {2}message \d about alpacas$/m);
    expect(first.stderr).toMatch(/6 results; the next are on --page 1 of 0 to 1/);
    const args = ['recall', 'search', 'alpacas', '--process', 'seen', '--size', '4', '--page', '1', '--json'];
    const second = JSON.parse((await world.run(args)).stdout) as { hits: unknown[] };
    expect(second).toMatchObject({ total: 6, page: 1 });
    expect(second.hits).toHaveLength(2);
  });

  it('shows the beginning of a very long message', async () => {
    await world.run(['chat', '--process', 'long'], { input: `llama ${'y'.repeat(49_994)}\n` });
    const { stdout } = await world.run(['recall', 'search', 'llama', '--process', 'long']);
    expect(stdout).toContain(`llama ${'y'.repeat(1994)}… (48,000 more characters; --json shows them)`);
    expect(stdout.length).toBeLessThan(10_000);
  });
});

describe('archive', () => {
  it('loads documents in passages that say where they are from, and finds them', async () => {
    const humming = Array.from({ length: 60 }, (_, i) => `Alpaca ${i} hums when it is content. `).join('');
    const path = file('alpacas.md', `# On alpacas\n\n${humming}`);
    const { code, stdout } = await world.run(['archive', 'load', path, '--json']);
    expect(code).toBe(0);
    const { files } = JSON.parse(stdout) as { files: { passages: number }[] };
    expect(files).toMatchObject([{ source: 'alpacas.md', title: 'On alpacas' }]);
    expect(files[0]?.passages).toBeGreaterThan(2);
    const found = await world.run(['archive', 'search', 'humming', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({
      total: files[0]?.passages,
      hits: expect.arrayContaining([expect.objectContaining({ source: 'alpacas.md' })]) as unknown[],
    });
    await world.run(['archive', 'load', path]);
    const again = await world.run(['archive', 'search', 'humming', '--json']);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(found.stdout));
  });

  it('says of a folder how to load what is in it', async () => {
    const { code, stderr } = await world.run(['archive', 'load', folder]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/it is a folder\n(?: .*\n)*hint: name the files in it, for example .*\*\.md$/m);
  });

  it('tells files of one name apart by their paths', async () => {
    const paths = ['x', 'y'].map((name) => file(`${name}.txt`, `about ${name}`));
    const { stdout } = await world.run(['archive', 'load', ...paths, paths[0] ?? '', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ source: paths[0] }, { source: 'y.txt' }, { source: paths[0] }],
    });
  });
});

describe('map', () => {
  it('makes documents readable to the model, lists them in pmap, and takes them away again', async () => {
    const path = file('alpacas.md', `# On alpacas\n\n${'Alpacas hum when they are content. '.repeat(600)}`);
    const mapped = await world.run(['map', path, '--process', 'reader']);
    expect(mapped.code).toBe(0);
    expect(mapped.stdout).toMatch(/alpacas\.md +d[0-9a-f]{12} +21,014/);
    const { stdout } = await world.run(['pmap', 'reader']);
    expect(stdout).toMatch(/document +handle +characters\nalpacas\.md +d/);
    const again = await world.run(['map', path, '--process', 'reader', '--json']);
    const { documents } = JSON.parse(again.stdout) as { documents: { handle: string }[] };
    expect(documents).toMatchObject([{ name: 'alpacas.md', characters: 21_014 }]);
    const found = await world.run(['archive', 'search', 'humming', '--process', 'reader', '--json']);
    expect(JSON.parse(found.stdout)).toMatchObject({ total: 0 });
    const gone = await world.run(['unmap', documents[0]?.handle ?? '', '--process', 'reader']);
    expect(gone).toMatchObject({ code: 0, stdout: 'no document is mapped\n' });
  });

  it('says which documents there are when one is not', async () => {
    await world.run(['map', file('notes.txt', 'notes'), '--process', 'reader']);
    const { code, stderr } = await world.run(['unmap', 'note.txt', '--process', 'reader']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/There is no document "note\.txt"\.\n(?:.*\n)*hint: Documents: "notes\.txt"/);
  });

  it('says what cannot be read, and keeps what was', async () => {
    const paths = [file('good.txt', 'good'), join(folder, 'missing.txt')];
    const { code, stdout, stderr } = await world.run(['map', ...paths, '--process', 'half']);
    expect(code).toBe(1);
    expect(stdout).toContain('good.txt');
    expect(stderr).toContain('there is no such file');
  });
});

describe('rerun', () => {
  async function recorded(name: string): Promise<string> {
    const path = join(folder, name);
    const sink = recordToFile(path);
    await world.close();
    world = createWorld({ record: { place: 'here', open: () => sink, erase: async () => [] } });
    await world.run(['chat'], { input: 'I breed alpacas in Cork.\nWhat do I breed?\n' });
    await world.close();
    return path;
  }

  it('ends with 0 when every request is the recorded one', async () => {
    const { code, stdout } = await world.run(['rerun', await recorded('a.rec'), '--json']);
    const report = JSON.parse(stdout) as { requests: number; equal: number };
    expect(report.requests).toBeGreaterThan(2);
    expect(report.equal).toBe(report.requests);
    expect(code).toBe(0);
  });

  it('ends with 1 when one differs, and names the first', async () => {
    const path = await recorded('b.rec');
    const { readFileSync } = await import('node:fs');
    const changed = file('c.rec', readFileSync(path, 'utf8').replaceAll('Cork', 'Bonn'));
    const { code, stderr } = await world.run(['rerun', changed]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/request \d+ is the first that differs/);
  });

  it('replays the paging of it in the lab', async () => {
    const { code, stdout } = await world.run(['lab', 'replay', await recorded('d.rec')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fifo .*yes$/m);
    for (const name of Object.keys(POLICIES)) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'));
    const replay = async (...policies: string[]) =>
      (await world.run(['lab', 'replay', join(folder, 'd.rec'), '--policy', ...policies])).stdout;
    expect(await replay('fifo,lru')).toBe(await replay('fifo', 'lru'));
  });

  it('takes a policy of your own by its path, in the lab and for the recordings that it made', async () => {
    const path = await recorded('e.rec');
    const { readFileSync } = await import('node:fs');
    const mine = `export default () => ({
      id: 'mine', version: 1, configure() {}, onBirth() {}, onNeed() {}, onResidency() {}, victims: () => [],
      snapshot: () => new Uint8Array(), restore: () => false,
    });`;
    file('mine.mjs', mine);
    const own = { cwd: folder };
    const { stdout } = await world.run(['lab', 'replay', path, '--policy', './mine.mjs,fifo'], own);
    expect(stdout).toMatch(/^mine /m);
    const renamed = file('f.rec', readFileSync(path, 'utf8').replace('"id":"fifo"', '"id":"mine"'));
    expect(await world.run(['rerun', renamed], own)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/E_CONFIG.*policy "mine" is not known/s) as string,
    });
    expect((await world.run(['rerun', renamed, '--policy', './mine.mjs'], own)).code).toBe(0);
    expect(await world.run(['lab', 'replay', path, '--policy', 'none.mjs'], own)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(join(folder, 'none.mjs')) as string,
    });
  });

  it('says when there is no such recording, and when it is none', async () => {
    expect((await world.run(['rerun', join(folder, 'none.rec')])).stderr).toMatch(/there is no such file/);
    expect(await world.run(['rerun', file('empty.rec', '')])).toMatchObject({ code: 1 });
    expect((await world.run(['rerun', file('odd.rec', '{"a":1}')])).stderr).toMatch(/E_RECORDING/);
  });
});
