import { afterEach, describe, expect, it } from 'vitest';
import { type QdrantDouble, type QdrantDoubleOptions, startQdrantDouble } from '../../src/index.js';

let double: QdrantDouble;
afterEach(() => double.close());

interface Answer {
  readonly status: number;
  readonly result: unknown;
  readonly error: string | undefined;
}

async function ask(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(double.url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = (text.startsWith('{') ? JSON.parse(text) : { status: { error: text } }) as {
    result?: unknown;
    status: { error?: string };
  };
  return { status: response.status, result: answer.result, error: answer.status.error };
}

async function start(options: QdrantDoubleOptions = {}): Promise<void> {
  double = await startQdrantDouble(options);
  await ask('PUT', '/collections/c', { vectors: { size: 2, distance: 'Cosine' } });
}

const uuid = (n: number): string => `00000000-0000-5000-8000-${String(n).padStart(12, '0')}`;
const point = (n: number, vector: readonly number[], payload: object = {}) => ({
  id: uuid(n),
  vector,
  payload,
});
const put = (points: readonly object[], wait = '?wait=true') =>
  ask('PUT', `/collections/c/points${wait}`, { points });
const nearest = async (body: object): Promise<readonly { id: string; score: number }[]> =>
  (
    (await ask('POST', '/collections/c/points/query', { query: [1, 0], ...body })).result as {
      points: readonly { id: string; score: number }[];
    }
  ).points;
const scope = (value: string) => ({ must: [{ key: 'scope', match: { value } }] });

describe('the Qdrant double', () => {
  it('makes a collection once, and says so the second time', async () => {
    await start();
    expect(await ask('PUT', '/collections/c', { vectors: { size: 2, distance: 'Cosine' } })).toMatchObject({
      status: 409,
      error: 'Wrong input: Collection `c` already exists!',
    });
    expect((await ask('GET', '/collections/d/exists')).result).toEqual({ exists: false });
    expect(await ask('GET', '/collections/d')).toMatchObject({ status: 404, error: /Collection `d`/ });
    await ask('DELETE', '/collections/c');
    expect((await ask('GET', '/collections/c')).status).toBe(404);
  });

  it('takes unsigned integers and UUIDs as ids and nothing else (B17)', async () => {
    await start();
    const refused = await put([{ id: './data/andrei.txt_1', vector: [1, 0] }]);
    expect(refused).toMatchObject({ status: 400, error: expect.stringMatching(/not a valid point ID/) });
    expect((await put([{ id: 7, vector: [1, 0] }, point(1, [1, 0])])).status).toBe(200);
    expect((await put([{ id: -1, vector: [1, 0] }])).status).toBe(400);
  });

  it('shows an unwaited write only when it is done, and a waited one after all before it (B20)', async () => {
    await start();
    expect((await put([point(1, [1, 0])], '')).result).toMatchObject({ status: 'acknowledged' });
    expect(await nearest({})).toEqual([]);
    double.settle();
    expect(await nearest({})).toHaveLength(1);
    await put([point(2, [1, 0])], '?wait=false');
    expect((await put([point(3, [1, 0])])).result).toMatchObject({ status: 'completed' });
    expect(await nearest({})).toHaveLength(3);
    await ask('POST', '/collections/c/points/delete', { points: [uuid(1)] });
    expect(await nearest({})).toHaveLength(3);
    await ask('POST', '/collections/c/points/delete?wait=true', {
      filter: { must: [{ has_id: [uuid(2)] }] },
    });
    expect((await nearest({})).map(({ id }) => id)).toEqual([uuid(3)]);
  });

  it('scores by cosine; a vector of zeros scores 0 and so comes before what is opposite (B16)', async () => {
    await start();
    await put([point(1, [5, 0]), point(2, [0, 0]), point(3, [-1, 0])]);
    const hits = await nearest({});
    expect(hits.map(({ id, score }) => [id, score])).toEqual([[uuid(1), 1], [uuid(2), 0], [uuid(3), -1]]); // prettier-ignore
    expect((await nearest({ score_threshold: 0.5 })).map(({ id }) => id)).toEqual([uuid(1)]);
    const wrong = await put([point(4, [1, 2, 3])]);
    expect(wrong.error).toBe('Wrong input: Vector dimension error: expected dim: 2, got 3');
  });

  it('matches keywords exactly and ranges by number, and never a number by dates (D10)', async () => {
    await start();
    await put([point(1, [1, 0], { scope: 'a', at: 10 }), point(2, [1, 0], { scope: 'A', at: 20 })]);
    expect(await nearest({ filter: scope('a') })).toHaveLength(1);
    const range = (bounds: object) => ({ filter: { must: [{ key: 'at', range: bounds }] } });
    expect((await nearest(range({ gte: 10, lt: 20 }))).map(({ id }) => id)).toEqual([uuid(1)]);
    expect(await nearest(range({ gte: '1970-01-01T00:00:00Z' }))).toEqual([]);
  });

  it('in strict mode refuses a filter on what is not indexed, and tells what index it wants (B21)', async () => {
    await start({
      strictMode: { enabled: true, unindexed_filtering_retrieve: false, unindexed_filtering_update: false },
    });
    const body = { query: [1, 0], filter: scope('a') };
    const refused = await ask('POST', '/collections/c/points/query', body);
    expect(refused).toMatchObject({ status: 400, error: expect.stringMatching(/^Bad request: Index required but not found for "scope" of one of the following types: \[keyword\]/) }); // prettier-ignore
    expect((await ask('POST', '/collections/c/points/delete', { filter: scope('a') })).status).toBe(400);
    await ask('PUT', '/collections/c/index?wait=true', { field_name: 'scope', field_schema: 'keyword' });
    expect((await ask('POST', '/collections/c/points/query', body)).status).toBe(200);
  });

  it('in strict mode holds limits, batches and exact searches to what it allows', async () => {
    await start({
      strictMode: { enabled: true, max_query_limit: 5, upsert_max_batchsize: 1, search_allow_exact: false },
    });
    const query = (body: object) => ask('POST', '/collections/c/points/query', { query: [1, 0], ...body });
    expect((await query({ limit: 6 })).error).toMatch(/Limit exceeded 6 > 5/);
    expect((await query({ limit: 5, params: { exact: true } })).error).toMatch(/Exact search disabled/);
    expect((await put([point(1, [1, 0]), point(2, [1, 0])])).error).toMatch(/Limit exceeded 2 > 1/);
    expect((await query({ limit: 5 })).status).toBe(200);
  });

  it('without an index loses hits of a filtered search in a large collection, unless it is exact (B22)', async () => {
    await start();
    await put(
      Array.from({ length: 1_100 }, (_, n) =>
        point(n, [1, n / 1_100], { scope: n > 1_000 ? 'far' : 'near' }),
      ),
    );
    const body = { filter: scope('far'), limit: 10 };
    expect(await nearest(body)).toHaveLength(0);
    expect(await nearest({ ...body, params: { exact: true } })).toHaveLength(10);
    await ask('PUT', '/collections/c/index?wait=true', { field_name: 'scope', field_schema: 'keyword' });
    expect(await nearest(body)).toHaveLength(10);
  });

  it('scrolls by id with a cursor, and by a field without one (D15)', async () => {
    await start();
    await put(Array.from({ length: 25 }, (_, n) => point(n, [1, 0], { at: 1 })));
    const seen: string[] = [];
    for (let offset: unknown, more = true; more;) {
      const { result } = await ask('POST', '/collections/c/points/scroll', { limit: 10, ...(offset !== undefined && { offset }) }); // prettier-ignore
      const page = result as { points: { id: string }[]; next_page_offset: string | null };
      seen.push(...page.points.map(({ id }) => id));
      offset = page.next_page_offset;
      more = page.next_page_offset !== null;
    }
    expect([seen.length, new Set(seen).size]).toEqual([25, 25]);
    const ordered = { limit: 10, order_by: { key: 'at', start_from: 1 } };
    expect((await ask('POST', '/collections/c/points/scroll', ordered)).error).toMatch(/No range index/);
    await ask('PUT', '/collections/c/index?wait=true', { field_name: 'at', field_schema: 'integer' });
    const page = (await ask('POST', '/collections/c/points/scroll', ordered)).result;
    expect(page).toMatchObject({ next_page_offset: null, points: { length: 10 } });
  });

  it('counts, and retrieves by id with or without payload and vector', async () => {
    await start();
    await put([point(1, [3, 4], { scope: 'a', at: 1 }), point(2, [1, 0], { scope: 'b' })]);
    expect((await ask('POST', '/collections/c/points/count', { filter: scope('a') })).result).toEqual({
      count: 1,
    });
    const { result } = await ask('POST', '/collections/c/points', { ids: [uuid(1), uuid(9)], with_vector: true, with_payload: ['scope'] }); // prettier-ignore
    const [found, ...others] = result as { id: string; payload: object; vector: number[] }[];
    expect([found?.id, found?.payload, others]).toEqual([uuid(1), { scope: 'a' }, []]);
    expect(found?.vector.map((x) => Math.round(x * 10))).toEqual([6, 8]);
  });

  it('refuses a body over its limit with the limit in the message, and bodies that the description refuses (B19)', async () => {
    await start({ maxBody: 1_000 });
    const large = await put(Array.from({ length: 100 }, (_, n) => point(n, [1, 0])));
    expect(large).toMatchObject({ status: 400, error: expect.stringMatching(/^Payload error: JSON payload \(\d+ bytes\) is larger than allowed \(limit: 1000 bytes\)/) }); // prettier-ignore
    expect((await ask('POST', '/collections/c/points/query', { query: [1, 0], limit: 0 })).status).toBe(400);
    expect((await ask('POST', '/collections/c/points/query', { query: [1, 0], score_treshold: 1 })).error).toMatch(/unknown field score_treshold/); // prettier-ignore
    expect((await put([], '?wait=yes')).status).toBe(400);
    expect((await ask('POST', '/collections/c/points/search', {})).status).toBe(404);
  });

  it('wants its key everywhere but at the root, lives where its proxy puts it, and tells its version', async () => {
    double = await startQdrantDouble({ apiKey: 'right-key', basePath: '/qdrant', version: '1.12.0' });
    const get = (path: string, key?: string) =>
      fetch(double.origin + path, { headers: key === undefined ? {} : { 'api-key': key } });
    expect(await (await get('/qdrant/')).json()).toMatchObject({ version: '1.12.0' });
    const statuses = [get('/qdrant/collections/c'), get('/qdrant/collections/c', 'wrong'), get('/qdrant/collections/c', 'right-key'), get('/collections/c', 'right-key')]; // prettier-ignore
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([401, 401, 404, 404]);
  });

  it('fails as it is told: before or after the work, whole or half', async () => {
    await start();
    double.fail({ kind: 'status', status: 429, headers: { 'retry-after': '12' } });
    const limited = await fetch(`${double.url}/collections/c`);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '12']);
    double.fail({ kind: 'reset' });
    await expect(put([point(1, [1, 0])])).rejects.toThrow();
    expect(await nearest({})).toHaveLength(0);
    double.fail({ kind: 'half', on: /^PUT / });
    await expect(put([point(1, [1, 0])])).rejects.toThrow();
    expect(await nearest({})).toHaveLength(1);
    double.failAlways({ kind: 'status', status: 503 });
    expect((await ask('GET', '/collections/c')).status).toBe(503);
    double.failAlways(undefined);
    expect((await ask('GET', '/collections/c')).status).toBe(200);
  });

  it('keeps what it holds for another that is started on it', async () => {
    await start();
    await put([point(1, [1, 0])]);
    const { state } = double;
    await double.close();
    double = await startQdrantDouble({ state });
    expect(await nearest({})).toHaveLength(1);
  });
});
