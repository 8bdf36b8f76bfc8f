import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRACE_SOURCES } from '@pagefault/lab';
import { createWorld, type World } from './support/world.js';

describe('lab import, check and schema', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-import-'));
    world = createWorld();
    mkdirSync(join(folder, 'logs', 'deep'), { recursive: true });
    const line = (uuid: string, type: string, content: string) =>
      JSON.stringify({
        type,
        uuid,
        sessionId: uuid,
        timestamp: '2026-01-01T00:00:00Z',
        message: { content },
      });
    writeFileSync(
      join(folder, 'logs', 'a.jsonl'),
      `${line('1', 'user', 'hello')}\n${line('1', 'user', 'x')}\n`,
    );
    writeFileSync(join(folder, 'logs', 'deep', 'b.jsonl'), `${line('3', 'assistant', 'good day')}\n{"`);
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const run = (...args: string[]) => world.run(['lab', ...args], { cwd: folder });

  it('makes one trace of a folder of logs, says what was passed over, and the trace passes its check', async () => {
    const { code, stdout, stderr } = await run('import', 'claude-code', 'logs', '--out', 'mine.jsonl');
    expect(stderr).toContain('1 passed over: it is there already');
    expect(stderr).toContain('1 passed over: it is not JSON');
    expect(stdout).toContain('2 files of claude-code');
    expect(stdout).toContain('too few needs to rank policies by: one kind must have 200');
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'mine.jsonl'), 'utf8')).not.toMatch(/hello|good day/);
    expect(readdirSync(folder).toSorted()).toEqual(['logs', 'mine.jsonl']);
    const checked = await run('check', 'mine.jsonl', '--json');
    expect(JSON.parse(checked.stdout)).toMatchObject({ problems: [], pages: 2, steps: 1, rankable: false });
  });

  it.each([
    ['a folder', 'logs', /--out logs is no file/],
    ['a device', '/dev/null', /--out \/dev\/null is no file/],
    ['standard output', '-', /--out - is no file/],
    ['a folder that is not there', 'none/x.jsonl', /none\/x\.jsonl cannot be written/],
    ['a file as a folder', 'logs/a.jsonl/x', /logs\/a\.jsonl\/x cannot be written/],
    ['one of the logs', 'logs/a.jsonl', /logs\/a\.jsonl is one of the files to import/],
    ['a link to one of them', 'link.jsonl', /link\.jsonl is one of the files to import/],
    ['a link to itself', 'loop.jsonl', /loop\.jsonl cannot be written/],
  ])('writes no trace to %s, and says what to do', async (_, out, message) => {
    symlinkSync(join(folder, 'logs', 'a.jsonl'), join(folder, 'link.jsonl'));
    symlinkSync('loop.jsonl', join(folder, 'loop.jsonl'));
    const before = readFileSync(join(folder, 'logs', 'a.jsonl'), 'utf8');
    const { code, stderr } = await run('import', 'claude-code', 'logs', '--out', out);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).toContain('hint: ');
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(readFileSync(join(folder, 'logs', 'a.jsonl'), 'utf8')).toBe(before);
    for (const link of ['link.jsonl', 'loop.jsonl']) rmSync(join(folder, link));
    expect(readdirSync(folder)).not.toContain('x.jsonl');
  });

  it('ends with 1 when a trace is wrong, naming line and field', async () => {
    writeFileSync(join(folder, 'odd.jsonl'), '{"type":"page"}\n');
    const { code, stdout } = await run('check', 'odd.jsonl');
    expect(code).toBe(1);
    expect(stdout).toMatch(/line 1, field id/);
    rmSync(join(folder, 'odd.jsonl'));
  });

  it('lists the sources when one is asked for that is not known, and leaves nothing of what fails', async () => {
    expect((await run('import', 'claude', 'logs', '--out', 'x.jsonl')).stderr).toMatch(
      /known: goodai-ltm, locomo/,
    );
    expect((await run('import', 'mooncake', 'logs/a.jsonl', '--out', 'x.jsonl')).stderr).toMatch(
      /line 1, field/,
    );
    expect(readdirSync(folder)).not.toContain('x.jsonl');
  });

  it('names in its help every source that there is', async () => {
    const { stdout } = await run('import', '--help');
    const told = stdout.replace(/\s+/g, ' ');
    for (const { name } of TRACE_SOURCES) expect(told).toContain(name);
  });

  it('leaves no trace of files that hold nothing of the source, and says what they are', async () => {
    const lines = [
      '{"type":"session_meta","payload":{"id":"s"}}',
      '{"type":"turn_context","payload":{"cwd":"/"}}',
    ];
    writeFileSync(join(folder, 'rollout.jsonl'), lines.join('\n'));
    const { code, stderr } = await run('import', 'claude-code', 'rollout.jsonl', '--out', 'none.jsonl');
    expect(code).toBe(1);
    expect(stderr).toContain('nothing of claude-code in 1 files');
    expect(stderr).toContain('it is for codex');
    expect(readdirSync(folder)).not.toContain('none.jsonl');
  });

  it('prints the schema', async () => {
    expect(JSON.parse((await run('schema')).stdout)).toMatchObject({ title: expect.any(String) as string });
  });
});
