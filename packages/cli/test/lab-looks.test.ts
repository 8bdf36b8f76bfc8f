import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weeklyTrace } from './support/traces.js';
import { createWorld, type World } from './support/world.js';

describe('lab timeline, audit and compare', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-looks-'));
    world = createWorld();
    writeFileSync(join(folder, 'few.jsonl'), weeklyTrace(40));
    writeFileSync(join(folder, 'many.jsonl'), weeklyTrace(300));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const lab = (...args: string[]) => world.run(['lab', ...args], { cwd: folder });

  it('shows a run step by step, with its drawings, and makes it again', async () => {
    const { code, stdout } = await lab('timeline', 'many.jsonl', '--budget', '500', '--out', 'timeline');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^lru at 500 tokens; weekly: 293 annotated needs/);
    expect(
      readdirSync(join(folder, 'timeline'))
        .filter((name) => name.endsWith('.svg'))
        .toSorted(),
    ).toEqual(['cache.svg', 'cost.svg', 'faults.svg', 'resident.svg']);
    for (const name of ['cache', 'cost', 'faults', 'resident'])
      expect(readFileSync(join(folder, 'timeline', `${name}.svg`), 'utf8')).toContain('>lower bound');
    expect((await lab('again', 'timeline/manifest.json')).stdout).toBe('the same: 600 rows\n');
  });

  it('shows a run page by page, the worst first', async () => {
    const { stdout, stderr } = await lab('audit', 'many.jsonl', '--budget', '500', '--policy', 'fifo');
    expect(stdout).toMatch(/^ *page +kind of page +tokens +born at step +evicted at +needed at/m);
    expect(stderr).toContain('what a page lost is');
    await lab('audit', 'many.jsonl', '--budget', '500', '--policy', 'fifo', '--jobs', '2', '--out', 'audit');
    expect(readFileSync(join(folder, 'audit', 'pages.svg'), 'utf8')).toMatch(
      /lower bound of all faults together: \d/,
    );
  });

  it('holds policies against the first, over traces, and says that one has too few needs', async () => {
    const { stdout, stderr } = await lab(
      'compare',
      'many.jsonl',
      'few.jsonl',
      '--budget',
      '500',
      '--policy',
      'lru,sieve',
    );
    expect(stdout).toContain('All sessions against lru');
    expect(stdout).toContain('33 annotated needs; not ranked');
    expect(stdout).toMatch(/^ +500 +lower bound +-\d/m);
    expect(stderr).toContain('there are too few needs to say which policy is better');
  });

  it.each([
    [['timeline', 'many.jsonl', '--policy', 'lru,fifo'], /it takes one policy, not lru fifo/],
    [['audit', 'many.jsonl', '--budget', '5%..50%'], /it takes one budget, not 5%\.\.50%/],
    [['compare', 'many.jsonl', '--policy', 'lru'], /two policies at least/],
  ])('refuses %j, and says what to do', async (args, message) => {
    const { code, stderr } = await lab(...args);
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});
