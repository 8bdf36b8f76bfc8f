import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScriptedProcessor } from '@pagefault/driver-processor-scripted';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type Run, type World } from './support/world.js';

let world: World;
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault-processes-'));
  world = createWorld({ program: { instructions: 'Be kind.', blocks: [{ name: 'human', value: 'Ada' }] } });
});
afterEach(async () => {
  await world.close();
  rmSync(folder, { recursive: true });
});

const run = (...args: string[]): Promise<Run> => world.run(args, { cwd: folder });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout) as unknown;
const agent = async (name: string) => {
  const process = await (await world.kernel()).find(name);
  if (!process) throw new Error(`there is no process ${name}`);
  return process;
};

describe('spawn', () => {
  it('makes a process with what the configuration says', async () => {
    const { code, stdout } = await run('spawn', 'ada');
    expect([code, stdout]).toEqual([0, `ada ${(await agent('ada')).pid}\n`]);
    expect((await (await agent('ada')).map()).blocks).toMatchObject([{ name: 'human', value: 'Ada' }]);
    expect(world.asked.at(-1)).toMatchObject({ create: true });
  });

  it('reads program and blocks from files and from the command line', async () => {
    writeFileSync(join(folder, 'program.md'), 'Be short.\n');
    writeFileSync(join(folder, 'human.txt'), 'Name: Eve\nLives in Cork\n');
    await run(
      'spawn',
      'eve',
      '--program',
      'program.md',
      '--block',
      'human=@human.txt',
      '--block',
      'tone=a=b',
    );
    const { blocks } = await (await agent('eve')).map();
    expect(blocks.map(({ name, value }) => [name, value])).toEqual([
      ['human', 'Name: Eve\nLives in Cork'],
      ['tone', 'a=b'],
    ]);
    const [info] = await (await world.kernel()).list();
    expect(info?.instructions).toBe('Be short.');
  });

  it.each([
    [['ada'], 1, /there is a process "ada" already \([^)]+\)[^]*choose another name/],
    [['eve', '--program', 'none.md'], 1, /--program: the file none\.md cannot be read/],
    [['eve', '--block', 'human=@none.txt'], 1, /--block human: the file none\.txt cannot be read/],
    [['eve', '--block', 'human'], 2, /a name, "=" and a text/],
    [['eve', '--block', '1st=x'], 1, /1st/],
    [['eve', '--zone', 'Mars/Olympus'], 1, /Mars\/Olympus/],
    [[], 2, /missing required argument 'name'/],
  ])('refuses %j', async (args, code, says) => {
    await run('spawn', 'ada');
    const result = await run('spawn', ...args);
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(says);
    expect(await (await world.kernel()).list()).toHaveLength(1);
  });
});

describe('fork and rename', () => {
  it('give another process the memory of one, and a process another name; ps tells them', async () => {
    await run('spawn', 'ada');
    await (await agent('ada')).send('My dog is called Rex.');
    expect((await run('fork', 'ada', 'try')).stdout).toBe(`try ${(await agent('try')).pid}\n`);
    expect((await (await agent('try')).map()).messages).toBeGreaterThan(1);
    expect((await run('rename', 'ada', 'Ada Byron')).stdout).toBe('ada is Ada Byron now\n');
    const rows = (await run('ps')).stdout.trim().split('\n');
    expect(rows[0]).toMatch(/ state +fork of$/);
    expect(rows.slice(1).map((row) => row.split(/ {2,}/).at(-1))).toEqual(['attached', 'Ada Byron']);
    expect(await json('ps')).toMatchObject([{ name: 'Ada Byron' }, { parent: { name: 'Ada Byron' } }]);
  });

  it.each([
    [['fork', 'eve', 'x'], /there is no process "eve"[^]*processes: ada, bob/],
    [['fork', 'ada', 'bob'], /there is a process "bob" already/],
    [['rename', 'eve', 'x'], /processes: ada, bob/],
    [['rename', 'ada', 'bob'], /there is a process "bob" already/],
  ])('refuse %j', async (args, says) => {
    await run('spawn', 'ada');
    await run('spawn', 'bob');
    const result = await run(...args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(says);
  });
});

describe('pause, resume, mask, unmask and kill', () => {
  it('hold a process back and let it go; ps tells it', async () => {
    await run('spawn', 'default');
    const state = async () => (await run('ps')).stdout.trim().split('\n')[1]?.split(/ {2,}/).at(-1);
    expect((await run('pause')).stdout).toBe('default: paused\n');
    await run('mask', 'timer', 'ipc', '--process', 'default');
    expect(await state()).toBe('attached; paused; masked: timer, ipc');
    expect(await json('unmask', 'ipc')).toMatchObject({ name: 'default', paused: true, masked: ['timer'] });
    await (await agent('default')).post({ kind: 'user', text: 'hello' });
    expect((await run('resume', 'default')).stdout).toBe('default: masked: timer\n');
    // What waited was served before the command ended.
    expect((await json('vmstat')) as object).toMatchObject({ counters: { turns: 1 } });
    expect((await run('unmask', 'timer')).stdout).toBe('default: nothing holds it back\n');
    expect((await run('kill')).stdout).toBe('default: killed\n');
    expect(await state()).toBe('killed');
    await expect((await agent('default')).send('hello?')).rejects.toMatchObject({ code: 'E_KILLED' });
  });

  it.each([
    [['pause', 'eve'], /there is no process "eve"[^]*processes: default/],
    [['mask', 'sleep'], /there is no kind of interrupt "sleep"[^]*kinds: user, ipc, device, timer, system/],
    [['unmask', 'sleep'], /kinds: user, ipc/],
  ])('refuse %j', async (args, says) => {
    await run('spawn', 'default');
    const result = await run(...args);
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(says);
  });

  it('say of a process that was killed that it was', async () => {
    await run('spawn', 'default');
    await run('kill');
    for (const command of [['pause'], ['resume'], ['mask', 'user'], ['unmask', 'user']])
      expect((await run(...command)).stderr).toMatch(/error\[E_KILLED\]: process \S+ was killed/);
  });
});

describe('use', () => {
  const dollars = (model: string) =>
    createScriptedProcessor({
      replies: () => ({
        calls: [{ name: 'send_message', arguments: { message: model } }],
        usage: { plain: 12_300 },
      }),
      name: model,
      model,
      prices: { input: 100, output: 100 },
      idPrefix: `${model}_`,
    });
  let several: World;
  beforeEach(() => {
    several = createWorld({ processor: dollars('gpt'), processors: { cheap: dollars('haiku') } });
  });
  afterEach(() => several.close());

  it('puts a process on another processor, which ps and pmap show, and back', async () => {
    for (const name of ['ada', 'bob']) await several.run(['spawn', name]);
    expect((await several.run(['ps'])).stdout).not.toContain('processor');
    expect((await several.run(['use', 'ada', 'cheap'])).stdout).toBe('ada runs on cheap\n');
    expect((await several.run(['ask', '--process', 'ada', 'hello'])).stdout).toContain('haiku');
    expect((await several.run(['ps'])).stdout).toMatch(/processor[^]*ada .* cheap[^]*bob .* main/);
    expect((await several.run(['pmap', 'ada'])).stdout).toContain('processor cheap (haiku)');
    const back = await several.run(['use', 'ada', '--json']);
    expect(JSON.parse(back.stdout)).toMatchObject({ name: 'ada', processor: 'main' });
  });

  it('names the processors that there are, for one that is not', async () => {
    await several.run(['spawn', 'ada']);
    const { code, stderr } = await several.run(['use', 'ada', 'cheep']);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/no processor "cheep"[^]*processors: cheap, main/),
    ]);
  });

  it('leaves what was spent to be seen, in dollars', async () => {
    await several.run(['chat', '--process', 'ada'], { input: 'hello\n' });
    const { stdout: stats } = await several.run(['vmstat']);
    expect(stats).toMatch(/spent\n.* \$1\.2300\n/);
    expect(stats).toMatch(
      /charged by +requests +tok in +cached +tok out +spent\nmain +1 +12,300 +0 +0 +\$1\.2300\n/,
    );
    const { stdout } = await several.run(['chat', '--process', 'ada'], { input: '/stats\n' });
    expect(stdout).toMatch(/spent +\$1\.2300/);
    expect(stdout).toMatch(/main +1 +12,300 .* \$1\.2300/);
    await several.run(['use', 'ada', 'cheap']);
    await several.run(['ask', '--process', 'ada', '--discard', 'hello']);
    expect((await several.run(['ps'])).stdout).toMatch(/spent[^]*ada .* \$2\.4600/);
    expect(JSON.parse((await several.run(['vmstat', '--json'])).stdout)).toMatchObject({
      spend: 2_460_000,
      bills: { main: { requests: 1 }, cheap: { requests: 1 } },
    });
  });
});
