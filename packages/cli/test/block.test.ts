import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

let world: World;
beforeEach(async () => {
  world = createWorld({ program: { blocks: [{ name: 'human', value: 'Name: Ada' }] } });
  await (await world.kernel()).spawn({ name: 'default' });
});
afterEach(() => world.close());

const block = (...args: string[]) => world.run(['block', ...args]);
const parsed = (text: string) => JSON.parse(text) as Record<string, unknown>;
const valueOf = async (name: string, ...options: string[]) =>
  parsed((await block('show', name, '--json', ...options)).stdout)['value'];

describe('block', () => {
  it('lists the blocks and shows one', async () => {
    await block('add', 'links', 'https://example.org', '--limit', '100', '--read-only');
    const { stdout } = await block('list');
    const [titles, ...rows] = stdout.trim().split('\n');
    expect(titles).toMatch(/^block +version +characters +limit +text$/);
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['human', '1', '9', '2,000', 'Name: Ada'],
      ['links', '1', '19', '100', 'https://example.org', 'read-only'],
    ]);
    expect((await block('show', 'human')).stdout).toBe('Name: Ada\n');
    expect(parsed((await block('show', 'links', '--json')).stdout)).toEqual({
      name: 'links',
      value: 'https://example.org',
      limit: 100,
      version: 1,
      readOnly: true,
    });
  });

  it('edits, undoes and redoes, and says what the block then is', async () => {
    expect((await block('append', 'human', 'Lives', 'in', 'Cork')).stdout).toBe(
      'human: version 2, 23 of 2,000 characters\n',
    );
    await block('replace', 'human', 'Ada', 'Ada Byron', '--by', 'Grace');
    expect(await valueOf('human')).toBe('Name: Ada Byron\nLives in Cork');
    await block('undo', 'human');
    expect(await valueOf('human')).toBe('Name: Ada\nLives in Cork');
    await block('redo', 'human');
    expect(await valueOf('human')).toBe('Name: Ada Byron\nLives in Cork');
    await block('undo', 'human', '--to', '1');
    await block('set', 'human', 'Name: Eve');
    const { stdout } = await block('history', 'human');
    expect(stdout.split('\n').map((line) => line.trim().split(/ {2,}/)[0])).toEqual([
      'version',
      '1',
      '7',
      '',
    ]);
    const { versions } = parsed((await block('history', 'human', '--json')).stdout);
    expect(versions).toMatchObject([
      { version: 1, value: 'Name: Ada', by: 'program', shown: false },
      { version: 7, value: 'Name: Eve', by: 'user', shown: true },
    ]);
  });

  it('reads a text from standard input', async () => {
    await world.run(['block', 'set', 'human', '-'], { input: '- one\n- two\n' });
    expect(await valueOf('human')).toBe('- one\n- two');
  });

  it('refuses an edit from an old read, with the new text (C31)', async () => {
    await block('set', 'human', 'Name: Eve', '--expect', '1');
    const { code, stdout, stderr } = await block('set', 'human', 'Name: Bob', '--expect', '1');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error\[E_CONFLICT\]: .*at version 2.*Name: Eve/s);
  });

  it('changes limit, name and who may edit, and removes', async () => {
    expect((await block('limit', 'human', '5')).stdout).toBe('human: version 2, 9 of 5 characters\n');
    expect((await block('append', 'human', 'x')).stderr).toMatch(/^error\[E_BLOCK\]: .*its limit is 5/);
    expect((await block('read-only', 'human', 'on')).stdout).toMatch(/, read-only\n$/);
    expect((await block('read-only', 'human', 'perhaps')).code).toBe(2);
    await block('rename', 'human', 'user');
    expect((await block('show', 'human')).stderr).toMatch(/no block "human".*there are: user/s);
    expect((await block('remove', 'user')).stdout).toBe('user: removed\n');
    expect((await block('list')).stdout).toBe('there is no block; `pagefault block add` makes one\n');
  });

  it('says which process there is when the named one is not', async () => {
    const { code, stderr } = await block('set', 'human', 'x', '--process', 'nobody');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error\[E_NOT_FOUND\]: .*there are: default/s);
  });

  it('shares a block between processes', async () => {
    await (await world.kernel()).spawn({ name: 'other', blocks: [] });
    expect((await block('shared')).stdout).toMatch(/^there is no shared block/);
    const { stdout, stderr } = await block('share', 'plan', 'Monday: shear', '--limit', '50');
    const id = stdout.trim();
    expect(stderr).toMatch(/plan: version 1, 13 of 50 characters, shared/);
    await block('attach', id, '--process', 'other', '--name', 'ours', '--read-only');
    await block('append', 'plan', 'Tuesday: dip');
    expect(await valueOf('plan')).toBe('Monday: shear\nTuesday: dip');
    expect((await block('history', 'ours', '--process', 'other')).stdout).toMatch(
      /Monday: shear Tuesday: dip/,
    );
    expect(parsed((await block('shared', '--json')).stdout)).toMatchObject({
      blocks: [{ id, name: 'plan', version: 2 }],
    });
    expect((await block('detach', 'ours', '--process', 'other')).stdout).toBe('ours: detached\n');
    expect((await block('detach', 'human')).stderr).toMatch(/^error\[E_BLOCK\]/);
  });

  it('leaves no shared block behind when it cannot be attached', async () => {
    expect((await block('share', 'human', 'x')).stderr).toMatch(/^error\[E_INVALID\]: .*already/);
    expect(parsed((await block('shared', '--json')).stdout)).toEqual({ blocks: [] });
  });

  it('prints nothing that a terminal would take for a command', async () => {
    await block('set', 'human', '\u001b[31mred\u0007');
    for (const look of [['show', 'human'], ['list'], ['history', 'human']]) {
      const { stdout } = await block(...look);
      for (const control of ['\u001b', '\u0007']) expect(stdout).not.toContain(control);
    }
  });
});
