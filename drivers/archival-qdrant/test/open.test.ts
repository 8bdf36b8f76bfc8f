import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { QdrantDouble } from '@pagefault/doubles';
import { qdrantStacks } from './support.js';

const stacks = qdrantStacks();

const answers =
  (body: string): RequestListener =>
  (_, response) =>
    void response.setHeader('content-type', 'application/json').end(body);

const SCOPE = 'recall/p/fp';
const UNINDEXED = { unindexed_filtering_retrieve: false, unindexed_filtering_update: false };

async function create(double: QdrantDouble, vectors: object, more: object = {}): Promise<void> {
  const response = await fetch(`${double.url}/collections/pagefault`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vectors, ...more }),
  });
  expect(response.status).toBe(200);
}

const near = { scope: SCOPE, vector: Float32Array.of(1, 0), limit: 9 };
const a = { id: 'a', vector: Float32Array.of(1, 0), at: 5 };

describe('opening archival on Qdrant', () => {
  it('works where strict mode refuses filters without an index (B21)', async () => {
    const double = await stacks.double({ strictMode: { enabled: true, ...UNINDEXED } });
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    await driver.upsert(SCOPE, [a]);
    expect(await driver.query({ ...near, since: 5, until: 6 })).toEqual([{ id: 'a', score: 1 }]);
    await driver.remove(SCOPE, 'all');
    expect(await driver.count(SCOPE)).toBe(0);
  });

  it('gives a collection of old the indexes that it lacks or has of another kind (B21)', async () => {
    const double = await stacks.double();
    await create(
      double,
      { size: 2, distance: 'Cosine' },
      { strict_mode_config: { enabled: true, ...UNINDEXED } },
    );
    const indexes = double.state.get('pagefault')?.indexes;
    indexes?.set('at', { type: 'datetime' });
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    expect(Object.fromEntries(indexes ?? [])).toEqual({ scope: { type: 'keyword', is_tenant: true }, at: { type: 'float' } }); // prettier-ignore
    await driver.upsert(SCOPE, [a]);
    expect(await driver.query({ ...near, since: 5 })).toHaveLength(1);
    const made = (): number => double.requests.filter(({ path }) => path.includes('/index')).length;
    const before = made();
    await stacks.driver({ url: double.url }).open();
    expect(made()).toBe(before);
  });

  it('finds all that passes a filter by the graph too, because of its indexes (B22)', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url, exact: false });
    await driver.open();
    expect(driver.supports.exact).toBe(false);
    const at = (i: number) => ({ id: `e${i}`, vector: Float32Array.of(1, i / 1_500), at: i });
    await driver.upsert(
      'near',
      Array.from({ length: 1_200 }, (_, i) => at(i)),
    );
    await driver.upsert(
      SCOPE,
      Array.from({ length: 30 }, (_, i) => at(1_200 + i)),
    );
    expect(await driver.query({ ...near, limit: 30 })).toHaveLength(30);
    expect(double.requests.at(-1)?.body).not.toMatchObject({ params: { exact: true } });
  });

  it('refuses a collection of another dimension, naming both numbers (B23, B24)', async () => {
    const double = await stacks.double();
    await create(double, { size: 4, distance: 'Cosine' });
    await expect(stacks.driver({ url: double.url }).open()).rejects.toMatchObject({
      code: 'E_DIMENSION',
      message: expect.stringMatching(/"pagefault" have 4 numbers.* 2$/),
      hint: expect.stringContaining('another collection'),
    });
  });

  it('goes on with a rebuild that was cut off between the removal of the old collection and the new one’s name', async () => {
    const double = await stacks.double();
    await create(double, { size: 4, distance: 'Cosine' });
    const wider = stacks.driver({ url: double.url, attempts: 1 });
    expect(await wider.rebuild?.()).toBe(4);
    await wider.upsert(SCOPE, [a]);
    double.fail({ kind: 'reset', on: /aliases$/ });
    double.fail({ kind: 'reset', on: /^POST .*aliases$/ });
    await expect(wider.finishRebuild?.()).rejects.toMatchObject({ retryable: true });
    await expect(wider.finishRebuild?.()).rejects.toMatchObject({ retryable: true });
    expect([...double.state.keys()]).toEqual(['pagefault.of-2']);
    const next = stacks.driver({ url: double.url });
    await next.open();
    expect(await next.count(SCOPE)).toBe(1);
    expect([...double.state.keys()]).toEqual(['pagefault.of-2', 'pagefault']);
  });

  it.each([
    [{ size: 2, distance: 'Euclid' }, /compares by Euclid/],
    [{ size: 2, distance: 'Cosine', datatype: 'uint8' }, /keeps vectors as uint8/],
  ])('refuses a collection of another kind: %o', async (vectors, message) => {
    const double = await stacks.double();
    await create(double, vectors);
    await expect(stacks.driver({ url: double.url }).open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(message),
      hint: expect.stringContaining('option collection'),
    });
  });

  it('is ready for all who open at once (B10)', async () => {
    const double = await stacks.double();
    const drivers = Array.from({ length: 6 }, () => stacks.driver({ url: double.url }));
    await Promise.all(drivers.map((driver) => driver.open()));
    for (const driver of drivers) expect(await driver.count(SCOPE)).toBe(0);
    expect(
      double.requests.filter(({ problems }) => problems[0]?.includes('already exists')).length,
    ).toBeGreaterThan(0);
  });

  it('goes on when the answer to its own creation was lost', async () => {
    const double = await stacks.double();
    const driver = stacks.driver({ url: double.url, timing: instant });
    double.fail({ kind: 'reset', isDone: true, on: /^PUT \/collections\/pagefault$/ });
    await driver.open();
    expect(await driver.count(SCOPE)).toBe(0);
  });

  it.each([
    { status: 400, body: { status: { error: 'Wrong input: Collection `pagefault` already exists!' } } },
    { status: 409, body: { status: { error: 'Conflict' } } },
  ])('takes $status for an answer that another was first', async (answer) => {
    const double = await stacks.double();
    double.fail({ kind: 'status', ...answer, isDone: true, on: /^PUT \/collections\/pagefault$/ });
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    expect(await driver.count(SCOPE)).toBe(0);
  });

  it('keeps to the limits of strict mode', async () => {
    const strictMode = { enabled: true, max_query_limit: 7, upsert_max_batchsize: 5, ...UNINDEXED };
    const double = await stacks.double({ strictMode });
    const driver = stacks.driver({ url: double.url });
    await driver.open();
    const ids = Array.from({ length: 40 }, (_, i) => `e${i + 10}`);
    await driver.upsert(
      SCOPE,
      ids.map((id, i) => ({ id, vector: Float32Array.of(1, i / 40), at: 0 })),
    );
    const hits = await driver.query({ ...near, limit: 30 });
    expect(hits.map(({ id }) => id)).toEqual(ids.slice(0, 30));
    expect((await driver.list(SCOPE, { limit: 40 })).items).toHaveLength(7);
  });

  it('says at open that strict mode allows no exact search, and what to do', async () => {
    const double = await stacks.double({ strictMode: { enabled: true, search_allow_exact: false } });
    await expect(stacks.driver({ url: double.url }).open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: expect.stringMatching(/exact to false/),
    });
    await stacks.driver({ url: double.url, exact: false }).open();
  });

  it('finds the API behind a path, and says so when it is not there (E15)', async () => {
    const double = await stacks.double({ basePath: '/qdrant' });
    await stacks.driver({ url: `${double.origin}/qdrant/` }).open();
    expect(double.requests.every(({ path }) => path.startsWith('/qdrant/'))).toBe(true);
    await expect(stacks.driver({ url: double.origin }).open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('no Qdrant'),
      hint: expect.stringContaining('path'),
    });
  });

  it('refuses an old server with both versions, and neither asks nor prints before open (E16)', async () => {
    const printed = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
    const double = await stacks.double({ version: '1.7.4', apiKey: 'a-secret-key' });
    const driver = stacks.driver({ url: double.url, apiKey: 'a-secret-key' });
    expect(double.connections()).toBe(0);
    await expect(driver.open()).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(/Qdrant 1\.7\.4, and this driver works with 1\.11/),
    });
    expect(double.requests.map(({ path }) => path)).toEqual(['/']);
    const newer = await stacks.double({ version: '1.25.0', apiKey: 'a-secret-key' });
    await stacks.driver({ url: newer.url, apiKey: 'a-secret-key' }).open();
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
  });

  it('tells which server it found, what the collection holds, and how it is searched', async () => {
    const double = await stacks.double({ apiKey: 'a-secret-key' });
    const driver = stacks.driver({ url: double.url, apiKey: 'a-secret-key', exact: false });
    await expect(driver.facts?.()).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
    await driver.open();
    await driver.upsert(SCOPE, [a]);
    const facts = await driver.facts?.();
    expect(facts).toEqual([
      { name: 'server', value: 'Qdrant 1.19.1' },
      { name: 'place', value: double.url },
      { name: 'collection', value: 'pagefault' },
      { name: 'points', value: '1' },
      { name: 'mode', value: 'by the graph, which may miss' },
    ]);
    expect(JSON.stringify(facts)).not.toContain('a-secret-key');
  });

  it('passes over a root that a proxy keeps to itself', async () => {
    const double = await stacks.double();
    double.fail({ kind: 'status', status: 403, on: /^GET \/$/ });
    await stacks.driver({ url: double.url }).open();
  });

  it('refuses a wrong key without showing it, and opens after it failed', async () => {
    const double = await stacks.double({ apiKey: 'right-key-1234' });
    const wrong = stacks.driver({ url: double.url, apiKey: 'wrong-key-1234' });
    const error = await wrong.open().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'E_AUTH', hint: expect.stringContaining('apiKey') });
    double.failAlways({
      kind: 'status',
      status: 500,
      body: { status: { error: 'key right-key-1234 is odd' } },
    });
    const right = stacks.driver({ url: double.url, apiKey: 'right-key-1234', attempts: 1 });
    const shown = await right.open().catch((reason: unknown) => reason);
    expect(shown).toMatchObject({
      code: 'E_OVERLOADED',
      message: expect.stringContaining('[redacted] is odd'),
    });
    double.failAlways(undefined);
    await right.open();
    expect(await right.count(SCOPE)).toBe(0);
  });

  it.each([
    [
      'what is no Qdrant',
      answers('null'),
      'E_PROTOCOL',
      /: the answer is none of Qdrant's$/,
      /check the option url$/,
    ],
    [
      'a server that never answers',
      () => undefined,
      'E_TIMEOUT',
      /: nothing heard for 30 ms$/,
      /^check that the server/,
    ],
    ['a port that nobody listens at', undefined, 'E_OVERLOADED', /: fetch failed/, /option url runs/],
  ] as const)('names the address of %s', async (_title, answer, code, message, hint) => {
    const server = createServer(answer);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
    if (answer === undefined) await stop();
    const url = `http://127.0.0.1:${port}`;
    const error = await stacks
      .driver({ url, attempts: 1, idleTimeout: 30 })
      .open()
      .catch((reason: unknown) => reason);
    if (answer !== undefined) await stop();
    expect(error).toMatchObject({ code, hint: expect.stringMatching(hint) });
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).toContain(`qdrant at ${url}: `);
  });

  it('refuses options that it does not know, and text that is no address', () => {
    expect(() => stacks.driver({ host: 'h' } as never)).toThrow(/archival\.qdrant\.host: unknown key/);
    expect(() => stacks.driver({ url: 'localhost:6333' })).toThrow(/archival\.qdrant\.url/);
    expect(() => stacks.driver({ collection: 'a/b' })).toThrow(/archival\.qdrant\.collection/);
  });
});

const instant = { now: () => 0, random: () => 0, sleep: async () => undefined };
