/** Clients and servers that are killed: what was acknowledged is there once, and no lease outlives its time. */
import { LATEST, type LogEntry, type RecallDriver } from '@pagefault/contracts';
import { findPostgres, type PostgresServer, startPostgres } from '@pagefault/doubles';
import type { SqlPort } from '@pagefault/driver-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgSql, createPostgresRecall } from '../src/index.js';
import { type Child, startScript } from './support/child.js';

const ROUNDS = Number(process.env['PAGEFAULT_ROUNDS'] ?? 20);
const TTL = 400;
const LINE = [{ pid: 'p', upTo: LATEST }];
const CLIENT = 'mortal';
const BOUNDARIES = ['before', 'sent', 'answered', 'lease', 'server'] as const;

interface Line {
  readonly fence?: number;
  readonly found?: number;
  readonly acked?: number;
  readonly failed?: string;
}

/** What clients said over all rounds. */
class Heard {
  acked = 0;
  fence = 0;
  failures = 0;
  readonly seen: number[] = [];

  take(line: Line): void {
    if (line.acked !== undefined) this.#ack(line.acked);
    if (line.fence !== undefined) this.fence = line.fence;
    if (line.failed !== undefined) this.failures += 1;
    // A commit whose answer was lost may be there: one, and never less than what was acknowledged.
    if (line.found !== undefined) expect([this.acked, this.acked + 1]).toContain(line.found);
    if (line.found !== undefined) this.acked = line.found;
  }

  #ack(seq: number): void {
    expect(seq).toBe(this.acked + 1);
    this.acked = seq;
    this.seen.push(seq);
  }

  async hear(child: Child, count = Infinity): Promise<void> {
    for (let acks = 0; acks < count;) {
      const { value, done } = await child.lines.next();
      if (done === true) return;
      const line = JSON.parse(value) as Line;
      this.take(line);
      if (line.acked !== undefined) acks += 1;
    }
  }
}

const bin = findPostgres();

if (bin === undefined)
  it('crashes', ({ skip }) => skip('no PostgreSQL is installed; PAGEFAULT_PG_BIN names its folder'));
else describe(`after a crash (${ROUNDS} rounds; PAGEFAULT_ROUNDS sets how many)`, () => withServer(bin));

function withServer(folder: string): void {
  let server: PostgresServer;
  let sql: SqlPort;
  let recall: RecallDriver;
  const heard = new Heard();

  beforeAll(async () => {
    server = await startPostgres(folder);
    sql = createPgSql({ connectionString: server.url, maxConnections: 2 });
    recall = createPostgresRecall({ sql, schema: 'crash' });
    await recall.open();
  });
  afterAll(async () => {
    await recall.close();
    await sql.close();
    await server.remove();
  });

  it(
    'of the client at each boundary of a commit, or of the server, nothing acknowledged is lost or doubled (C03, C08)',
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const boundary = BOUNDARIES[round % BOUNDARIES.length] ?? 'before';
        const nth = boundary === 'lease' ? 1 + (round % 3) : 1 + ((round * 7) % 11);
        const client = [
          `${server.url}?application_name=${CLIENT}`,
          `owner${round}`,
          boundary,
          String(nth),
          String(TTL),
        ];
        const child = startScript('commits', client);
        if (boundary === 'server') await crashServer(child, nth);
        await heard.hear(child);
        expect(await child.ended).toEqual({ status: 'SIGKILL', stderr: '' });
        await clientsGone();
        await check();
        await leaseEnds(`auditor${round}`);
      }
      expect(heard.seen.length).toBeGreaterThan(ROUNDS);
      if (ROUNDS >= BOUNDARIES.length) expect(heard.failures).toBeGreaterThan(0);
      console.log(
        `${ROUNDS} rounds: ${heard.seen.length} commits acknowledged, ${heard.failures} failures borne`,
      );
    },
    Math.max(180_000, ROUNDS * 10_000),
  );

  async function crashServer(child: Child, acks: number): Promise<void> {
    await heard.hear(child, acks);
    await server.stop('immediate');
    await server.start();
    // It may have lost what it waited for in between; it finds out, and goes on.
    await heard.hear(child, 3);
    child.process.kill('SIGKILL');
  }

  /** What a client had sent goes on at the server after its death: between two reads it would change what is there. */
  async function clientsGone(): Promise<void> {
    const left = 'select from pg_stat_activity where application_name = $1 limit 1';
    while ((await sql.query(left, [CLIENT])).rows.length > 0);
  }

  /** Messages, their index, and the row that was written with each: all of a commit or nothing. */
  async function check(): Promise<void> {
    const log = await wholeLog();
    expect([heard.acked, heard.acked + 1]).toContain(log.length);
    heard.acked = log.length;
    const numbers = log.map((_, i) => i + 1);
    expect(log.map(({ seq, message }) => [seq, message.id])).toEqual(numbers.map((n) => [n, `m${n}`]));
    const [row] = await recall.load('p', ['state']);
    expect([row?.value ?? 0, row?.version ?? 0]).toEqual([log.length, log.length]);
    const postings = await recall.postings(LINE, 'messages', ['message']);
    expect(postings.map(({ ordinal }) => ordinal)).toEqual(numbers.map((n) => n - 1));
  }

  async function wholeLog(): Promise<readonly LogEntry[]> {
    const { items, cursor } = await recall.read(LINE, { limit: 100_000 });
    expect(cursor).toBeUndefined();
    return items;
  }

  /** By the clock of the store: until then nobody else gets it, from then on whoever asks. */
  async function leaseEnds(owner: string): Promise<void> {
    const { rows } = await sql.query<{ ends: number | null }>(
      'select expires_at as ends from crash.processes',
    );
    const ends = rows[0]?.ends ?? 0;
    expect(ends).toBeLessThanOrEqual((await clock()) + TTL);
    for (;;) {
      const isOver = (await clock()) >= ends;
      const granted = await recall.acquireLease('p', owner, TTL);
      expect(granted !== undefined || !isOver).toBe(true);
      if (granted === undefined) continue;
      expect(await clock()).toBeGreaterThanOrEqual(ends);
      expect(granted.fence).toBeGreaterThan(heard.fence);
      break;
    }
    await recall.releaseLease('p', owner);
  }

  async function clock(): Promise<number> {
    const now = 'select floor(extract(epoch from clock_timestamp()) * 1000)::double precision as now';
    return (await sql.query<{ now: number }>(now)).rows[0]?.now ?? 0;
  }
}
