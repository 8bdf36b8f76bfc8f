import { createServer, type Server, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { conformRecall } from '@pagefault/conformance';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgSql, createPostgresRecall } from '../src/index.js';

const url = process.env['PAGEFAULT_PG_URL'];

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('createPgSql', () => {
  it('wants a connectionString or a pool, and says so', () => {
    expect(() => createPgSql({})).toThrow(/connectionString or pool/);
  });

  it('is called in errors what the configuration and the README call it', async () => {
    const wrong = { connectionString: 'postgres://ada@127.0.0.1:1/x', maxConections: 3 };
    const problem = await failure((async () => createPgSql(wrong))());
    expect(problem).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining('recall.postgres.maxConections: unknown key') as string,
      hint: 'see the options of recall.postgres in its README',
    });
    const sql = createPgSql({ connectionString: 'postgres://ada@127.0.0.1:1/x' });
    expect(await failure(sql.query('select 1'))).toMatchObject({ code: 'E_NOT_OPEN', driver: 'postgres' });
    const noAddress = createPgSql({ connectionString: 'postgres://ada@:port/x' });
    expect(await failure(noAddress.open())).toMatchObject({
      code: 'E_CONFIG',
      message: 'recall.postgres.connectionString is not an address',
    });
  });

  it('names the server without password when nobody answers there', async () => {
    const sql = createPgSql({ connectionString: 'postgres://ada:s3cret@127.0.0.1:1/alpacas' });
    const error = await failure(sql.open());
    expect(error).toMatchObject({ code: 'E_STORAGE', retryable: true });
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    expect(inspect(error)).toContain('postgres://127.0.0.1:1/alpacas');
    await sql.close();
  });

  it('does not show the password of a connectionString that is no address', async () => {
    const sql = createPgSql({ connectionString: 'postgres://ada:s3cret@:port/x y' });
    const error = await failure(sql.open());
    expect(inspect(error, { depth: 9 })).not.toContain('s3cret');
    await sql.close();
  });

  it('connects to no host that is a piece of a password that is not percent-encoded', async () => {
    const sql = createPgSql({ connectionString: 'postgres://ada:hunt@er/2s3cret@127.0.0.1:1/x' });
    const error = await failure(sql.open());
    expect(error).toMatchObject({
      code: 'E_CONFIG',
      hint: expect.stringContaining('%40 for @') as string,
    });
    expect(inspect(error, { depth: 9 })).not.toMatch(/\ber\b|2s3cret/);
    await sql.close();
  });

  it('gives up on a server that takes the connection and says nothing (B07)', async () => {
    expect(await refusedBy(() => undefined, { acquireTimeout: 50 })).toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringMatching(/within acquireTimeout \(50 ms\)$/) as string,
      hint: expect.any(String) as string,
    });
  });

  it('gives up on one that lets in and then says nothing, without waiting as long as for a statement', async () => {
    // AuthenticationOk and ReadyForQuery.
    const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);
    const letIn = (socket: Socket) => socket.once('data', () => socket.write(welcome));
    expect(await refusedBy(letIn, { acquireTimeout: 300 })).toMatchObject({
      code: 'E_TIMEOUT',
      message: expect.stringContaining('did not answer within 300 ms') as string,
    });
  });

  it('says what to do when there is no TLS, though it is asked for', async () => {
    const refuse = (socket: Socket) => socket.once('data', () => socket.write('N'));
    expect(await refusedBy(refuse, { parameters: '?sslmode=require' })).toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(
        /^postgres:.* offers no TLS, and the connectionString asks for it$/,
      ) as string,
      hint: expect.stringContaining('sslmode=disable') as string,
    });
  });

  it.each([
    ['?sslrootcert=/nowhere/ca.pem', 'E_CONFIG', /a file of .*connectionString cannot be read: .*ca\.pem/],
    [
      '?host=/nowhere',
      'E_STORAGE',
      /the connection to postgres:\/\/\/x\?host=\/nowhere.* failed: connect ENOENT/,
    ],
  ])('says what to do with %s', async (parameters, code, message) => {
    const error = await refusedBy(() => undefined, { parameters });
    expect(error).toMatchObject({ code, hint: expect.any(String) as string });
    expect((error as Error).message).toMatch(message);
  });
});

/** What `open` says of a server that is not as it should be. */
async function refusedBy(
  onSocket: (socket: Socket) => void,
  { parameters = '', acquireTimeout = 10_000 }: { parameters?: string; acquireTimeout?: number },
): Promise<unknown> {
  const sockets: Socket[] = [];
  const server = await listen((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  const { port } = server.address() as { port: number };
  const sql = createPgSql({
    connectionString: `postgres://ada@127.0.0.1:${port}/x${parameters}`,
    acquireTimeout,
  });
  try {
    return await failure(sql.open());
  } finally {
    await sql.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
}

function listen(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer(onSocket);
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

if (url === undefined) it('on a real server', ({ skip }) => skip('PAGEFAULT_PG_URL is not set'));
else describe('on a real server', () => onServer(url));

function onServer(connectionString: string): void {
  const sql = createPgSql({ connectionString, maxConnections: 4 });
  let cases = 0;

  beforeAll(() => sql.open());
  afterAll(() => sql.close());

  conformRecall({
    name: 'postgres on a server',
    create: () => ({ driver: createPostgresRecall({ sql, schema: `pagefault_case_${(cases += 1)}` }) }),
    destroy: async () => {
      await sql.query(`drop schema if exists pagefault_case_${cases} cascade`);
    },
  });

  it('says what to grant when the user may not make the tables', async () => {
    const error = await failure(
      sql.transaction(async (session) => {
        await session.query('create role pagefault_nobody');
        await session.query('set local role pagefault_nobody');
        await session.query('create schema pagefault_denied');
      }),
    );
    expect(error).toMatchObject({ code: 'E_STORAGE', hint: expect.stringMatching(/^grant it/) as string });
  });

  it('several who open an empty schema at once all end up ready (B10, B11)', async () => {
    const drivers = Array.from({ length: 5 }, () => createPostgresRecall({ sql, schema: 'pagefault_race' }));
    await Promise.all(drivers.map((driver) => driver.open()));
    for (const [i, driver] of drivers.entries()) await driver.commit({ pid: `p${i}` });
    await sql.query('drop schema pagefault_race cascade');
  });

  it('outlives the death of an idle connection (B04)', async () => {
    const one = createPgSql({ connectionString, maxConnections: 1 });
    await one.open();
    const { rows } = await one.query<{ pid: number }>('select pg_backend_pid() as pid');
    await sql.query('select pg_terminate_backend($1)', [rows[0]?.pid ?? 0]);
    // The death travels by another connection than the next statement: one statement may still meet it.
    await failure(one.query('select 1'));
    expect((await one.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await one.close();
  });

  it('a transaction stays on its own connection though the pool has no other (B06)', async () => {
    const one = createPgSql({ connectionString, maxConnections: 1 });
    await one.open();
    const value = await one.transaction(async (session) => {
      await session.query('create temporary table t (n int) on commit drop');
      return (await session.query<{ count: number }>('select count(*) as count from t')).rows[0]?.count;
    });
    expect(value).toBe(0);
    await one.close();
  });

  it('stops a statement that takes too long', async () => {
    const hasty = createPgSql({ connectionString, statementTimeout: 20 });
    await hasty.open();
    expect(await failure(hasty.query('select pg_sleep(5)'))).toMatchObject({ code: 'E_TIMEOUT' });
    await hasty.close();
  });
}
