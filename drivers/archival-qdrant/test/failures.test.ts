import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { QdrantFault } from '@pagefault/doubles';
import { QdrantClient } from '@qdrant/js-client-rest';
import { describe, expect, it, vi } from 'vitest';
import { qdrantStacks } from './support.js';

const stacks = qdrantStacks();
const SCOPE = 'recall/p/fp';
const near = { scope: SCOPE, vector: Float32Array.of(1, 0), limit: 9 };
const a = { id: 'a', vector: Float32Array.of(1, 0), at: 5 };

/** A clock that stands still but for the waits between tries. */
function countedWaits() {
  const waits: number[] = [];
  let now = 0;
  const sleep = async (span: number): Promise<void> => {
    waits.push(span);
    now += span;
  };
  return { waits, timing: { now: () => now, random: () => 0, sleep } };
}

async function opened(options: Parameters<typeof stacks.driver>[0] = {}) {
  const double = await stacks.double();
  const driver = stacks.driver({ url: double.url, ...options });
  await driver.open();
  await driver.upsert(SCOPE, [a]);
  return { double, driver };
}

describe('archival on Qdrant, when something goes wrong', () => {
  it.each<QdrantFault>([
    { kind: 'status', status: 503 },
    { kind: 'reset' },
    { kind: 'reset', isDone: true },
    { kind: 'half' },
  ])('tries again after $kind, whether the work was done or not', async (fault) => {
    const { waits, timing } = countedWaits();
    const { double, driver } = await opened({ timing });
    double.fail(fault, 2);
    await driver.upsert(SCOPE, [a, { ...a, id: 'b' }]);
    double.fail(fault, 2);
    expect(await driver.query(near)).toEqual([{ id: 'a', score: 1 }, { id: 'b', score: 1 }]); // prettier-ignore
    double.fail(fault, 2);
    await driver.remove(SCOPE, ['b']);
    double.fail(fault, 2);
    expect(await driver.count(SCOPE)).toBe(1);
    expect(waits).toEqual([250, 500, 250, 500, 250, 500, 250, 500]);
  });

  it('waits as long as a limited rate asks for, all of its digits', async () => {
    const { waits, timing } = countedWaits();
    const { double, driver } = await opened({ timing });
    const limited = { kind: 'status', status: 429 } as const;
    double.fail({ ...limited, headers: { 'retry-after': '12' } });
    double.fail(limited);
    expect(await driver.count(SCOPE)).toBe(1);
    expect(waits).toEqual([12_000, 500]);
    double.fail({ ...limited, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT' } });
    expect(await driver.count(SCOPE)).toBe(1);
    expect(waits.at(-1)).toBe(20_000 - 12_500);
    double.fail(limited, 3);
    await expect(driver.count(SCOPE)).rejects.toMatchObject({ code: 'E_RATE_LIMITED', retryable: true });
  });

  it('does not wait past its deadline', async () => {
    const { waits, timing } = countedWaits();
    const { double, driver } = await opened({ timing, deadline: 10_000 });
    double.fail({ kind: 'status', status: 429, headers: { 'retry-after': '30' } });
    await expect(driver.count(SCOPE)).rejects.toMatchObject({ code: 'E_RATE_LIMITED' });
    expect(waits).toEqual([]);
  });

  it('says what to check when nothing is there, and opens when it is', async () => {
    const double = await stacks.double();
    await double.close();
    const { timing } = countedWaits();
    const driver = stacks.driver({ url: double.url, timing });
    await expect(driver.open()).rejects.toMatchObject({
      code: 'E_OVERLOADED',
      retryable: true,
      hint: expect.stringContaining('option url'),
    });
    const port = Number(new URL(double.url).port);
    await stacks.double({ port });
    await driver.open();
    expect(await driver.count(SCOPE)).toBe(0);
  });

  it('does not send again what the server refuses as it is', async () => {
    const { waits, timing } = countedWaits();
    const { double, driver } = await opened({ timing });
    double.fail({ kind: 'status', status: 422, body: { status: { error: 'Wrong input: odd' } } });
    const refused = driver.count(SCOPE);
    await expect(refused).rejects.toMatchObject({
      code: 'E_STORAGE',
      message: expect.stringMatching(/^qdrant at http:\S+: Wrong input: odd \(422\)$/) as string,
    });
    double.state.delete('pagefault');
    const gone = { code: 'E_STORAGE', hint: expect.stringContaining('open the index again') };
    await expect(driver.query(near)).rejects.toMatchObject(gone);
    expect(waits).toEqual([]);
  });

  it.each([
    { status: 'ok', time: 0 },
    { status: 'ok', result: null },
    { status: { error: 'odd' }, result: { points: [] } },
    { result: { points: [{ id: 1, score: 1, version: 0, payload: { id: 7 } }] }, status: 'ok' },
    { result: { points: [{ id: 1, score: 1, version: 0 }] }, status: 'ok' },
  ])('takes no answer for a result that is none: %o', async (body) => {
    const { double, driver } = await opened();
    double.fail({ kind: 'body', body });
    await expect(driver.query(near)).rejects.toMatchObject({ code: 'E_PROTOCOL' });
  });

  it('gives up on a silent server after its time', async () => {
    const double = await stacks.double();
    double.failAlways({ kind: 'silence' });
    const driver = stacks.driver({
      url: double.url,
      idleTimeout: 30,
      attempts: 2,
      timing: countedWaits().timing,
    });
    await expect(driver.open()).rejects.toMatchObject({ code: 'E_TIMEOUT', retryable: true });
    expect(double.requests).toHaveLength(2);
  });

  it('stops at once when the caller aborts or the driver is closed, and ends the request', async () => {
    const { double, driver } = await opened();
    double.failAlways({ kind: 'silence' });
    const controller = new AbortController();
    const query = driver.query(near, controller.signal);
    const counts = [driver.count(SCOPE), driver.count(SCOPE, new AbortController().signal)];
    await vi.waitFor(() => expect(double.answering()).toBe(3));
    controller.abort();
    await expect(query).rejects.toMatchObject({ code: 'E_ABORTED' });
    const stopped = counts.map((count) => expect(count).rejects.toMatchObject({ code: 'E_ABORTED' }));
    await driver.close();
    await Promise.all(stopped);
    await vi.waitFor(() => expect(double.answering()).toBe(0));
  });

  it('leaves no connection behind, whether it was open or failed to open', async () => {
    const { double, driver } = await opened();
    await Promise.all(Array.from({ length: 5 }, () => driver.count(SCOPE)));
    expect(double.connections()).toBeGreaterThan(0);
    await driver.close();
    await vi.waitFor(() => expect(double.connections()).toBe(0));
    const other = stacks.driver({ url: double.url, dimension: 3 });
    await expect(other.open()).rejects.toMatchObject({ code: 'E_DIMENSION' });
    await vi.waitFor(() => expect(double.connections()).toBe(0));
  });

  it('works with a client of the caller’s, whose answers it cannot see, and with a function that gives one', async () => {
    const { waits, timing } = countedWaits();
    const double = await stacks.double();
    const client = new QdrantClient({ url: double.url, checkCompatibility: false });
    for (const given of [client, () => client, async () => client]) {
      const driver = stacks.driver({ client: given, timing });
      await driver.open();
      await driver.upsert(SCOPE, [a]);
      expect(await driver.query(near)).toEqual([{ id: 'a', score: 1 }]);
    }
    const driver = stacks.driver({ client, timing });
    await driver.open();
    double.fail({ kind: 'status', status: 429, headers: { 'retry-after': '3' } });
    expect(await driver.count(SCOPE)).toBe(1);
    expect(waits).toEqual([3_000]);
  });

  it('goes through a proxy when it is told to (E13)', async () => {
    const tunnels: string[] = [];
    const proxy = createServer().on('connect', (request, socket) => {
      tunnels.push(request.url ?? '');
      const [host, port] = (request.url ?? '').split(':');
      const server = connect(Number(port), host, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
      socket.on('error', () => server.destroy()).on('close', () => server.destroy());
      server.on('error', () => socket.destroy());
      server.pipe(socket).pipe(server);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    try {
      const double = await stacks.double();
      const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
      const driver = stacks.driver({ url: double.url, proxy: url });
      await driver.open();
      await driver.upsert(SCOPE, [a]);
      expect(await driver.query(near)).toEqual([{ id: 'a', score: 1 }]);
      expect(new Set(tunnels)).toEqual(new Set([new URL(double.url).host]));
      await driver.close();
      await vi.waitFor(() => expect(double.connections()).toBe(0));
    } finally {
      await new Promise((resolve) => proxy.close(resolve));
    }
  });
});
