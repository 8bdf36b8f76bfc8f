import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { weeklyTrace } from './support/traces.js';
import { createWorld, type World } from './support/world.js';

describe('lab run', () => {
  let folder: string;
  let world: World;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pagefault-run-'));
    world = createWorld();
    writeFileSync(join(folder, 'few.jsonl'), weeklyTrace(40));
    writeFileSync(join(folder, 'many.jsonl'), weeklyTrace(300));
  });
  afterAll(async () => {
    await world.close();
    rmSync(folder, { recursive: true });
  });
  const run = (...args: string[]) => world.run(['lab', 'run', ...args], { cwd: folder });

  it('prints a row a policy and budget, the cheapest first, and what knows the needs to come', async () => {
    const { code, stdout } = await run('many.jsonl', '--policy', 'fifo,lru', '--budget', '500', '2k');
    expect(code).toBe(0);
    expect(stdout).toContain('weekly: 293 annotated needs; policies in the order of their cost');
    const rows = [...stdout.matchAll(/^(fifo|lru|farthest-need(?:-by-size)?) +([\d,]+) +([\d,]+)/gm)];
    expect(rows.map(([, policy, budget]) => `${policy} ${budget}`)).toHaveLength(8);
    expect(rows.slice(4).map(([, , budget]) => budget)).toEqual(['2,000', '2,000', '2,000', '2,000']);
  });

  it('does not rank on few needs, and says so', async () => {
    const { stdout } = await run('few.jsonl', '--policy', 'lru', '--budget', '25%');
    expect(stdout).toContain('weekly: 33 annotated needs; not ranked, for that takes 200 of one kind');
  });

  it('gives the same figures to programs, as JSON and as comma-separated values', async () => {
    const { stdout } = await run('many.jsonl', '--policy', 'lru', '--budget', '500', '--json');
    const { rows, needs } = JSON.parse(stdout) as {
      needs: object;
      rows: { policy: string; faults: number }[];
    };
    expect(needs).toEqual({ annotated: 293, 're-read': 0, derived: 0 });
    const csv = (await run('many.jsonl', '--policy', 'lru', '--budget', '500', '--csv')).stdout
      .trim()
      .split('\n');
    expect(csv[0]).toMatch(/^policy,budget,needs,faults,/);
    expect(csv[1]).toMatch(new RegExp(`^lru,500,293,${rows[0]?.faults},`));
  });

  it('takes a scheme where it takes a policy, and says which options it does not follow', async () => {
    const { code, stdout, stderr } = await run(
      'many.jsonl',
      '--policy',
      'fifo,memgpt-queue',
      '--budget',
      '1k',
      '--target',
      '.9',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^memgpt-queue +1,000 /m);
    expect(stderr).toContain(
      'memgpt-queue is a scheme with settings of its own: it does not follow --target\n',
    );
  });

  it('sets how pages are paged by options', async () => {
    const rowOf = async (...options: string[]) => {
      const given = ['many.jsonl', '--policy', 'fifo', '--budget', '500', '--json', ...options];
      const { rows } = JSON.parse((await run(...given)).stdout) as { rows: Record<string, number>[] };
      return rows[0];
    };
    const plain = await rowOf();
    expect(await rowOf('--flush', '1', '--target', '.5', '--cold', '1', '--seed', '1')).toEqual(plain);
    expect((await rowOf('--summary-ratio', '.1', '--retention', '1'))?.['faults']).toBe(0);
    expect((await rowOf('--recall', '0'))?.['refaults']).toBe(0);
    expect((await rowOf('--no-fault-calls'))?.['cost']).toBeLessThan(plain?.['cost'] ?? 0);
  });

  it('takes a program for a policy, and says what it said when it fails', async () => {
    const body = (victims: string) => `
      import { createInterface } from 'node:readline';
      createInterface({ input: process.stdin }).on('line', (line) => {
        const { type, eligible } = JSON.parse(line);
        if (type === 'hello') console.log('{"id":"mine","version":1}');
        if (type === 'victims') console.log(${victims});
      });`;
    writeFileSync(join(folder, 'oldest.mjs'), body('JSON.stringify({ victims: [] })'));
    writeFileSync(join(folder, 'broken.mjs'), body("'no idea, sorry'"));
    const node = JSON.stringify(process.execPath);
    const options = ['--budget', '500', '--json'];
    const { stdout } = await run('many.jsonl', '--policy', 'fifo', `exec:${node} oldest.mjs`, ...options);
    const { rows } = JSON.parse(stdout) as { rows: { policy: string; faults: number }[] };
    // It names nobody, so the pager takes the oldest.
    expect(rows[1]).toEqual({ ...rows[0], policy: 'mine' });
    const broken = await run('many.jsonl', '--policy', `exec:${node} broken.mjs`, ...options);
    expect(broken.code).not.toBe(0);
    expect(broken.stderr).toContain('no idea, sorry');
  });

  it('runs a trace of the caching literature, for people and for programs', async () => {
    writeFileSync(join(folder, 'loop.trace'), Array.from({ length: 400 }, (_, n) => n % 20).join('\n'));
    const { stdout } = await world.run(
      ['lab', 'demand', 'loop.trace', '--size', '50%', '--policy', 'mru,lru'],
      {
        cwd: folder,
      },
    );
    expect(stdout).toContain('loop.trace: 400 requests for 20 pages');
    expect([...stdout.matchAll(/^(min|mru|lru) +10 /gm)].map(([, name]) => name)).toEqual([
      'min',
      'mru',
      'lru',
    ]);
    const args = ['lab', 'demand', 'loop.trace', '--size', '19,5', '--policy', 'lru', '--csv'];
    expect((await world.run(args, { cwd: folder })).stdout).toMatch(/^lru,19,400,400,1,381$/m);
  });

  it.each([
    [['--size', 'much'], /"much" is no size\n.*pages, such as/],
    [['--size', '50..10:5'], /no range of sizes: it goes from a smaller size to a larger one, both pages/],
    [['--size', 'much', '--bytes'], /bytes, such as/],
    [['--format', 'lris'], /no format goes by "lris"\n.*known: lirs, arc/],
  ])('refuses %j for a trace of the caching literature', async (args, message) => {
    writeFileSync(join(folder, 'few.trace'), '1\n2\n1\n');
    const { code, stderr } = await world.run(['lab', 'demand', 'few.trace', ...args], { cwd: folder });
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it('lists policies and schemes', async () => {
    const { stdout } = await world.run(['lab', 'policies']);
    expect(stdout).toMatch(/^2q +recentShare=0\.25 ghostShare=0\.5$/m);
    expect(stdout).toMatch(/^memgpt-queue +100(?:\.0)? ?% +50(?:\.0)? ?% .* summary +never +fifo$/m);
  });

  it.each([
    [['--policy', 'lifo'], /known policies: fifo, lru/],
    [['--policy', '2q:half=1'], /its settings, with their defaults: recentShare=0.25/],
    [['--budget', 'much'], /"much" is no budget/],
    [['--prices', 'gpt-2'], /the price book has no model "gpt-2"/],
    [['--target', '2'], /targetShare is 2; it must be a number from 0 to 1/],
    [['--policy', 'lifo'], /known schemes: memgpt-queue, cold-cache-window/],
    [['--flush', 'x'], /--flush is "x"; it must be a number/],
    [['--retention', '3'], /retention is 3; it must be a number from 0 to 1/],
    [['--summary-ratio', '7'], /ratio of a summary is 7/],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run('few.jsonl', ...args);
    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
  });
});
