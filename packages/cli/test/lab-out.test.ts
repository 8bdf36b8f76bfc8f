import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weeklyTrace } from './support/traces.js';
import { createWorld, type World } from './support/world.js';

const POLICY = `export default () => {
  const pages = [];
  return {
    id: 'mine', version: 1,
    configure: () => undefined, onNeed: () => undefined,
    onBirth: ({ id }) => void pages.push(id),
    onResidency: (id, now) => { if (now === 'evicted') pages.splice(pages.indexOf(id), 1); },
    victims: ({ isEligible }) => pages.filter(isEligible).slice(0, 3),
    snapshot: () => new Uint8Array(), restore: () => false,
  };
};`;

describe('lab --out and lab again', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-out-'));
    world = createWorld();
    writeFileSync(join(folder, 'many.jsonl'), weeklyTrace(300));
    writeFileSync(join(folder, 'mine.mjs'), POLICY);
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const lab = (...args: string[]) => world.run(['lab', ...args], { cwd: folder });
  const STUDY = [
    'curve',
    'many.jsonl',
    '--policy',
    'lru,2q:recentShare=.1,./mine.mjs',
    '--budget',
    '5%..20%:3',
  ];
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');

  it('writes rows, drawings, a page and a manifest; twice the same bytes, in place of the first', async () => {
    const { code, stderr } = await lab(...STUDY, '--out', 'out/a');
    expect(stderr).toContain('out/a: rows.csv, study.json, faults.svg, report.html, manifest.json');
    expect(code).toBe(0);
    const names = readdirSync(join(folder, 'out/a'));
    const first = names.map((name) => read(`out/a/${name}`));
    expect((await lab(...STUDY, '--out', 'out/a')).code).toBe(0);
    expect(names.map((name) => read(`out/a/${name}`))).toEqual(first);
    expect(readdirSync(join(folder, 'out'))).toEqual(['a']);
    expect(read('out/a/rows.csv')).toBe((await lab(...STUDY, '--csv')).stdout);
  });

  it('tells where traces and policies are from its own folder, and no path of the machine', async () => {
    await lab(...STUDY, '--out', 'out/b');
    const manifest = read('out/b/manifest.json');
    expect(manifest).not.toContain(folder);
    expect(JSON.parse(manifest)).toMatchObject({
      request: { traces: ['../../many.jsonl'], policies: ['lru', '2q:recentShare=.1', '../../mine.mjs'] },
      policies: [{ name: 'lru' }, { name: '2q:recentShare=0.1' }, { name: 'mine', path: '../../mine.mjs' }],
      setup: { flushShare: 1, targetShare: 0.5 },
      prices: { model: 'claude-sonnet-5-5', asOf: '2026-11-05' },
    });
    expect(read('out/b/report.html')).not.toContain(folder);
  });

  it('makes a study again and finds the same rows; another trace is named, and its rows are told', async () => {
    await lab(...STUDY, '--out', 'out/c');
    const same = await lab('again', 'out/c/manifest.json');
    expect(same).toMatchObject({ code: 0, stdout: 'the same: 18 rows\n' });
    writeFileSync(join(folder, 'other.jsonl'), weeklyTrace(280));
    const other = await lab('again', 'out/c/manifest.json', '--trace', 'other.jsonl');
    expect(other.code).toBe(1);
    expect(other.stdout).toMatch(/the trace weekly has changed: its SHA-256 was/);
    expect(other.stdout).toMatch(/rows: row 1 was lru,1500,293,/);
    expect(JSON.parse((await lab('again', 'out/c/manifest.json', '--json')).stdout)).toEqual({
      same: true,
      rows: 18,
      changes: [],
      differences: [],
    });
  });

  it('names a policy of your own that has changed, though its rows are the same', async () => {
    await lab(...STUDY, '--out', 'out/d');
    writeFileSync(join(folder, 'mine.mjs'), `${POLICY} // changed`);
    const { code, stdout } = await lab('again', 'out/d/manifest.json');
    writeFileSync(join(folder, 'mine.mjs'), POLICY);
    expect(stdout).toMatch(
      /the policy mine has changed: the SHA-256 of its module was .*\nthe same: 18 rows/,
    );
    expect(code).toBe(0);
  });

  it('refuses a folder with other files before it works, and leaves them alone', async () => {
    mkdirSync(join(folder, 'precious'));
    writeFileSync(join(folder, 'precious/notes.txt'), 'mine');
    const { code, stdout, stderr } = await lab(...STUDY, '--out', 'precious');
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/holds 1 other file, such as notes\.txt/);
    await lab(...STUDY, '--out', 'out/e');
    writeFileSync(join(folder, 'out/e/notes.txt'), 'mine');
    expect((await lab(...STUDY, '--out', 'out/e')).stderr).toMatch(/1 other file, such as notes\.txt/);
    expect(read('out/e/notes.txt')).toBe('mine');
    expect((await lab(...STUDY, '--out', 'many.jsonl')).stderr).toMatch(/is no folder that can be used/);
  });

  it.each([
    ['nowhere.json', /cannot be read[^]*--out wrote/],
    ['many.jsonl', /is no manifest of the lab/],
  ])('refuses %s for a manifest', async (file, message) => {
    const { code, stderr } = await lab('again', file);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });

  it('says where to look when a trace is no longer there', async () => {
    await lab(...STUDY, '--out', 'out/f');
    renameSync(join(folder, 'many.jsonl'), join(folder, 'moved.jsonl'));
    const { stderr } = await lab('again', 'out/f/manifest.json');
    expect(stderr).toMatch(/many\.jsonl cannot be read[^]*--trace/);
    expect((await lab('again', 'out/f/manifest.json', '--trace', 'moved.jsonl')).stdout).toBe(
      'the same: 18 rows\n',
    );
    renameSync(join(folder, 'moved.jsonl'), join(folder, 'many.jsonl'));
    expect(existsSync(join(folder, 'out/f/report.html'))).toBe(true);
  });
});
