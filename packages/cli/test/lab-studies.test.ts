import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';
import { weeklyTrace } from './support/traces.js';

describe('lab curve, cost and sweep', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-studies-'));
    world = createWorld();
    writeFileSync(join(folder, 'few.jsonl'), weeklyTrace(40));
    writeFileSync(join(folder, 'many.jsonl'), weeklyTrace(300));
    writeFileSync(join(folder, 'empty.jsonl'), weeklyTrace(0));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const lab = (...args: string[]) => world.run(['lab', ...args], { cwd: folder });

  it('prints fault rates over a range of budgets, with what knows the needs to come', async () => {
    const { code, stdout } = await lab(
      'curve',
      'many.jsonl',
      '--policy',
      'fifo,lru',
      '--budget',
      '5%..20%:4',
    );
    expect(code).toBe(0);
    expect(stdout).toContain('weekly: 293 annotated needs');
    expect(stdout).toMatch(/^policy +1,500 +3,000 +4,500 +6,000$/m);
    expect(stdout).toMatch(/^lru +[\d.]+ % +[\d.]+ %/m);
    expect(stdout).toMatch(/^farthest-need +/m);
    expect(stdout).toMatch(/^lower bound +[\d.]+ %/m);
  });

  it('prints cost in tokens and in money, the prices that it took, and what has no better', async () => {
    const { stdout, stderr } = await lab(
      'cost',
      'many.jsonl',
      '--policy',
      'fifo,lru',
      '--budget',
      '500',
      '2k',
    );
    expect(stdout).toContain('Cost in input-token equivalents');
    expect(stdout).toContain('Cost in US $');
    expect(stdout).toContain('Nothing has fewer faults for less');
    expect(stderr).toContain('prices of claude-sonnet-5-5 as of 2026-11-05');
  });

  it('prints places by r, and gives flips to programs', async () => {
    const args = ['sweep', 'many.jsonl', '--policy', 'fifo,lru,mru', '--budget', '500', '--ratios', '.02,1'];
    expect((await lab(...args)).stdout).toMatch(/^policy +r = 0\.02 +r = 1$/m);
    const told = JSON.parse((await lab(...args, '--json')).stdout) as Record<string, unknown[]>;
    expect(told['rows']).toHaveLength(2 * 6);
    expect(told['lines']).toHaveLength(5);
    expect(told).toMatchObject({ command: 'sweep', rankable: true, flips: expect.any(Array) as unknown[] });
  });

  it('says in CSV too that nothing is ranked on few needs', async () => {
    const [head = '', ...rows] = (await lab('curve', 'few.jsonl', '--policy', 'lru', '--csv')).stdout
      .trim()
      .split('\n');
    const at = head.split(',').indexOf('rankable');
    expect(rows.map((row) => row.split(',')[at])).toEqual(rows.map(() => 'false'));
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each([
    [['curve', 'many.jsonl', '--budget', '99'], /page 0 has 100.*\n.*take 100 or more/],
    [['cost', 'empty.jsonl'], /holds no step/],
    [['curve', 'nowhere.jsonl'], /nowhere\.jsonl cannot be read/],
    [['sweep', 'many.jsonl', '--ratios', '1'], /two numbers at least/],
    [['sweep', 'many.jsonl', '--ratios', '1,x'], /a number above 0/],
    [['curve', 'many.jsonl', '--policy', 'lifo'], /known policies: fifo, lru/],
  ])('refuses %j, and says what to do', async (args, message) => {
    const { code, stderr } = await lab(...args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});
