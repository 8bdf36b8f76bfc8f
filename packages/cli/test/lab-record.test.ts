import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start } from '@pagefault/wiring';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWorld } from './support/world.js';

vi.setConfig({ testTimeout: 60_000 });

describe('lab record', () => {
  let folder: string;
  const world = createWorld({}, { start });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-record-test-'));
    const config = {
      recall: 'memory',
      archival: 'none',
      embedder: 'none',
      processor: 'reflex',
      window: 4_096,
    };
    writeFileSync(join(folder, 'pagefault.config.json'), JSON.stringify(config));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const said = Array.from({ length: 90 }, (_, n) => `My llama ${n} lives in stall ${n * 7} of Cork.`);
  const record = (...args: string[]) =>
    world.run(['lab', 'record', '--out', 'mine.jsonl', ...args], {
      cwd: folder,
      input: `${[...said, 'Where does my llama 3 live?'].join('\n')}\n`,
    });

  it('makes a trace of a talk, with nothing of what was said, and leaves nothing else', async () => {
    const { code, stdout, stderr } = await record();
    expect(code).toBe(0);
    expect(stdout.split('\n').length).toBeGreaterThan(90);
    expect(stderr).toMatch(/^\S.*pages, [\d,]+ tokens, 9\d steps, 1 sessions$/m);
    const trace = readFileSync(join(folder, 'mine.jsonl'), 'utf8');
    expect(trace).toMatch(/"type":"page".*"terms":\[/);
    expect(trace).toContain('"kind":"compact"');
    expect(trace).not.toMatch(/llama|Cork/);
    expect(readdirSync(folder).toSorted()).toEqual(['mine.jsonl', 'pagefault.config.json']);
    const check = await world.run(['lab', 'check', 'mine.jsonl'], { cwd: folder });
    expect(check.code).toBe(0);
    const run = await world.run(['lab', 'run', 'mine.jsonl', '--policy', 'lru', '--json'], { cwd: folder });
    expect(run.code).toBe(0);
  });

  it('keeps the recording too when it is asked to', async () => {
    expect((await record('--record', 'records')).code).toBe(0);
    const [name = ''] = readdirSync(join(folder, 'records'));
    const replay = await world.run(['lab', 'replay', join(folder, 'records', name)], { cwd: folder });
    expect(replay.stdout).toMatch(/^fifo .* yes$/m);
  });

  it('lets nobody talk when the trace would have no place', async () => {
    const { code, stdout, stderr } = await record('--out', 'none/mine.jsonl');
    expect(code).not.toBe(0);
    expect(stderr).toContain('--out none/mine.jsonl cannot be written');
    expect(stdout).toBe('');
  });

  it('leaves no trace when it cannot start, and says why', async () => {
    writeFileSync(join(folder, 'pagefault.config.json'), '{"policy":"lifo"}');
    const { code, stderr } = await record();
    expect(code).not.toBe(0);
    expect(stderr).toContain('lifo');
    expect(readdirSync(folder)).toEqual(['pagefault.config.json']);
  });
});
