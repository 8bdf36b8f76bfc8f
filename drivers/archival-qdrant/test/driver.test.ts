import type { ArchivalDriver, VectorEntry } from '@pagefault/contracts';
import { createMemoryArchival } from '@pagefault/driver-memory';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { qdrantStacks } from './support.js';

const stacks = qdrantStacks();
const SCOPE = 'recall/p/fp';

function entry(id: string, ...numbers: number[]): VectorEntry {
  return { id, vector: Float32Array.from(numbers), at: 0 };
}

async function hitsOf(driver: ArchivalDriver, limit = 9): Promise<readonly (readonly [string, number])[]> {
  const hits = await driver.query({ scope: SCOPE, vector: Float32Array.of(1, 0), limit });
  return hits.map(({ id, score }) => [id, Math.round(score * 1e6) / 1e6]);
}

describe('archival on Qdrant', () => {
  it('turns ids into UUIDs that are the same for ever, and keeps its own beside them (B17, B18)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const ids = ['./data/andrei.txt_1', '215250709085334181', '215250709085334182'];
    await driver.upsert(
      SCOPE,
      ids.map((id) => entry(id, 1, 0)),
    );
    await driver.upsert('other', [entry('215250709085334181', 1, 0)]);
    const points = [...(double.state.get('pagefault')?.points.values() ?? [])];
    expect(points.map(({ payload }) => payload['id'])).toEqual([...ids, '215250709085334181']);
    // Stored points are found by these: a change of the mapping loses every index.
    expect(points[0]?.id).toBe('c54eda91-ee2a-507e-bca2-ce1bf32db2b3');
    expect(new Set(points.map(({ id }) => id)).size).toBe(4);
    await driver.remove(SCOPE, ['215250709085334181']);
    expect([await driver.count(SCOPE), await driver.count('other')]).toEqual([2, 1]);
  });

  it('cuts a batch by bytes and by count, and names an entry that is too large by itself (B19)', async () => {
    const double = await stacks.double({ maxBody: 4_096 });
    const byBytes = stacks.driver({ url: double.url, batchBytes: 4_096 });
    await byBytes.open();
    const entries = Array.from({ length: 500 }, (_, i) => entry(`é"${i}`, 1e-7 * (i + 1), -1));
    await byBytes.upsert(SCOPE, entries);
    expect(await byBytes.count(SCOPE)).toBe(500);
    const sent = () =>
      double.requests.filter(({ method, path }) => method === 'PUT' && path.includes('/points'));
    for (const { headers } of sent()) expect(Number(headers['content-length'])).toBeLessThanOrEqual(4_096);
    expect(sent().length).toBeLessThan(100);

    const byCount = stacks.driver({ url: double.url, batchPoints: 7 });
    await byCount.open();
    const before = sent().length;
    await byCount.upsert('by-count', entries.slice(0, 20));
    expect(sent().slice(before).map(({ body }) => (body as { points: [] }).points.length)).toEqual([7, 7, 6]); // prettier-ignore

    const large = { ...entry('large', 1, 0), id: 'x'.repeat(4_000) };
    await expect(byBytes.upsert('large', [entry('small', 1, 0), large])).rejects.toMatchObject({
      code: 'E_INVALID',
      message: expect.stringMatching(/^the entry x+ takes up to \d+ bytes, and a request at most 4096$/),
    });
    expect(await byBytes.count('large')).toBe(0);
  });

  it('tells of a body that the server finds too large which option to lower (B19)', async () => {
    const double = await stacks.double({ maxBody: 4_096 });
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const batch = Array.from({ length: 200 }, (_, i) => entry(`e${i}`, 1, 0));
    await expect(driver.upsert(SCOPE, batch)).rejects.toMatchObject({
      code: 'E_STORAGE',
      message: expect.stringMatching(/larger than allowed \(limit: 4096 bytes\)/),
      hint: expect.stringContaining('batchBytes'),
      retryable: false,
    });
  });

  it('waits for every write, so that it is seen at once and what was removed is not (B20, B36)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    await driver.upsert(SCOPE, [entry('a', 1, 0), entry('b', 0, 1)]);
    expect(await hitsOf(driver)).toEqual([['a', 1], ['b', 0.5]]); // prettier-ignore
    await driver.remove(SCOPE, ['a']);
    expect(await hitsOf(driver)).toEqual([['b', 0.5]]);
    await driver.remove(SCOPE, 'all');
    expect([await hitsOf(driver), await driver.count(SCOPE)]).toEqual([[], 0]);
    const writes = double.requests.filter(({ path }) => /\/points(\?|\/delete)|\/index/.test(path));
    for (const { path } of writes) expect(path).toMatch(/\?wait=true$/);
  });

  it('filters by instants as numbers, as the reference driver does (D10)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const days = [
      '2023-12-31T23:59:59.999Z',
      '2024-01-01T00:00:00Z',
      '2024-01-31T23:59:59.999Z',
      '2024-02-01T00:00:00Z',
    ];
    await driver.upsert(
      SCOPE,
      days.map((day) => ({ ...entry(day, 1, 0), at: Date.parse(day) })),
    );
    const range = { since: Date.parse('2024-01-01T00:00:00Z'), until: Date.parse('2024-02-01T00:00:00Z') };
    const hits = await driver.query({ scope: SCOPE, vector: Float32Array.of(1, 0), limit: 9, ...range });
    expect(hits.map(({ id }) => id)).toEqual(days.slice(1, 3));
  });

  it('gives each of many of one instant once, whatever the slices (D15)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const ids = Array.from({ length: 100 }, (_, i) => `e${String(i).padStart(3, '0')}`);
    await driver.upsert(
      SCOPE,
      ids.map((id) => entry(id, 1, 0)),
    );
    const listed: string[] = [];
    for (let after: string | undefined, more = true; more;) {
      const { items, cursor } = await driver.list(SCOPE, {
        limit: 10,
        ...(after !== undefined && { after }),
      });
      listed.push(...items);
      after = cursor;
      more = cursor !== undefined;
    }
    expect(listed.sort()).toEqual(ids);
    expect((await hitsOf(driver, 10)).map(([id]) => id)).toEqual(ids.slice(0, 10));
  });

  it('has the scores and the order of the reference driver, for any entries and filters (D14, B22)', async () => {
    const double = await stacks.double({
      strictMode: { enabled: true, unindexed_filtering_retrieve: false },
    });
    let lives = 0;
    const anyEntry = fc.record({
      id: fc.constantFrom('a', 'B', 'b', 'é', '10', '9', 'a-b', 'ab'),
      // Few directions, so that many entries are equally near; at lengths that change no digit of a cosine.
      direction: fc.constantFrom([1, 0], [2, 1], [1, 1], [0, 1], [-2, 1], [-1, 0]),
      length: fc.constantFrom(0.5, 1, 8),
      at: fc.integer({ min: 0, max: 3 }),
    });
    const anyAsk = fc.record({
      limit: fc.integer({ min: 1, max: 9 }),
      since: fc.integer({ min: 0, max: 2 }),
      until: fc.integer({ min: 1, max: 4 }),
    });
    const drivers = [stacks.driver({ url: double.url }), createMemoryArchival({ dimension: 2 })];
    for (const driver of drivers) await driver.open();
    const [entries, asks] = [fc.array(anyEntry, { maxLength: 20 }), fc.array(anyAsk, { maxLength: 3 })];
    await fc.assert(
      fc.asyncProperty(entries, asks, async (given, asked) => {
        const scope = `life/${(lives += 1)}`;
        const batch = given.map(({ id, direction, length, at }) => ({
          id,
          at,
          vector: Float32Array.from(direction, (x) => x * length),
        }));
        for (const driver of drivers) await driver.upsert(scope, batch);
        for (const ask of [{ limit: 99 }, ...asked]) {
          const query = { scope, vector: Float32Array.of(2, 0), ...ask };
          const [ours, theirs] = await Promise.all(drivers.map((driver) => driver.query(query)));
          expect(ours?.map(({ id }) => id)).toEqual(theirs?.map(({ id }) => id));
          for (const [i, { score }] of (ours ?? []).entries())
            expect(score).toBeCloseTo(theirs?.[i]?.score ?? -1, 5);
        }
      }),
      { numRuns: 25 },
    );
  });

  it('gives equal scores by id however many there are at the cut (B25)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const ids = Array.from({ length: 300 }, (_, i) => `e${String(i).padStart(3, '0')}`);
    await driver.upsert(SCOPE, [...ids.map((id) => entry(id, 1, 1)), entry('near', 1, 0)]);
    expect((await hitsOf(driver, 4)).map(([id]) => id)).toEqual(['near', 'e000', 'e001', 'e002']);
  });

  it('compares vectors so large or small that 32-bit sums would overflow or vanish (B16)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    await driver.upsert(SCOPE, [entry('large', 3e38, 0), entry('small', 0, 1e-44)]);
    const hits = await driver.query({ scope: SCOPE, vector: Float32Array.of(1e-30, 0), limit: 9 });
    expect(hits).toEqual([{ id: 'large', score: 1 }, { id: 'small', score: 0.5 }]); // prettier-ignore
  });
});
