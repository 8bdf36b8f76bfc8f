import type { EmbedderDriver } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import { afterEach, describe, expect, it } from 'vitest';
import { createWorld, type World } from './support/world.js';

const worlds: World[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});

/** To it everything is alike. */
const embedder: EmbedderDriver = {
  kind: 'embedder',
  name: 'alike',
  specVersion: 1,
  supports: Object.freeze({ dimension: 2, maxTokens: 512, fingerprint: 'alike' }),
  open: async () => undefined,
  close: async () => undefined,
  embed: async (texts) => texts.map(() => Float32Array.of(0.6, 0.8)),
};

async function worldWith(texts: readonly string[], at = Date.parse('2024-03-11T04:30:00Z')): Promise<World> {
  const world = createWorld({
    embedder,
    archival: createMemoryArchival({ dimension: 2 }),
    zone: 'America/Bogota',
  });
  worlds.push(world);
  const kernel = await world.kernel();
  const process = await kernel.spawn({ name: 'seen' });
  await process.append(texts.map((text, i) => ({ text, at: at + i })));
  await kernel.settle();
  return world;
}

const search = (world: World, ...args: readonly string[]) =>
  world.run(['recall', 'search', ...args, '--process', 'seen']);

describe('recall search', () => {
  it('says when no word of the query was found', async () => {
    const world = await worldWith(['We breed alpacas.']);
    expect((await search(world, 'llamas')).stderr).toContain('1 result; no word of the query was found');
    expect((await search(world, 'alpacas')).stderr).not.toContain('no word');
    expect(JSON.parse((await search(world, 'llamas', '--json')).stdout)).toMatchObject({ wordMatch: false });
  });

  it('shows once what was said again, with how often', async () => {
    const world = await worldWith(['Rex is ill.', 'rex is ill']);
    const { stdout, stderr } = await search(world, 'Rex');
    expect(stdout).toMatch(/^m2 .* 2 times, this the last\n {2}rex is ill$/m);
    expect(stderr).toContain('1 result');
  });

  it("goes by days of the user's calendar, in the zone of the process or another", async () => {
    const world = await worldWith(['We breed alpacas.']);
    const total = async (...args: readonly string[]) =>
      (JSON.parse((await search(world, 'alpacas', ...args, '--json')).stdout) as { total: number }).total;
    expect(await total('--days', '2024-03-10')).toBe(1);
    expect(await total('--days', '2024-03-11..2024-03-12')).toBe(0);
    expect(await total('--days', '2024-03-11', '--zone', 'UTC')).toBe(1);
    const wrong = await search(world, 'alpacas', '--days', 'yesterday');
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('"yesterday" is no date')]);
  });

  it("shows times by the user's clock, with its offset (D13)", async () => {
    const world = await worldWith(['We breed alpacas.']);
    expect((await search(world, 'alpacas')).stdout).toContain('m1  2024-03-10 23:30-05:00  user');
    expect((await search(world, 'alpacas', '--zone', 'UTC')).stdout).toContain('m1  2024-03-11 04:30Z  user');
  });

  it('goes on by a cursor', async () => {
    const world = await worldWith(['alpaca one', 'alpaca two', 'alpaca three']);
    const first = JSON.parse((await search(world, 'alpaca', '--size', '2', '--json')).stdout) as {
      cursor: string;
    };
    const { stdout } = await search(world, 'alpaca', '--size', '2', '--cursor', first.cursor);
    expect(stdout.match(/alpaca/g)).toHaveLength(1);
  });
});
