/**
 * Archival on pgvector against the bare client: `pg` with COPY in its binary form, and one query, on a table of the same
 * columns with the same index. The scope is the whole table, as it is for who writes no driver.
 */
import { pipeline } from 'node:stream/promises';
import type { VectorEntry } from '@pagefault/contracts';
import { createPgvectorArchival } from '@pagefault/driver-archival-pgvector';
import { createPgSql } from '@pagefault/driver-recall-postgres';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { createNumbers, type Ratio, ratioOf, timed } from './ratio.js';

/** Of the embedder that comes with it. */
const DIMENSION = 512;
const BATCH = 1_000;
const HEAPS = 100;
const LIMIT = 10;
const QUERIES = 200;
const WARM_UP = 20;

export interface ArchivalCost {
  readonly passages: number;
  /** Of a batch of a thousand. */
  readonly load: Ratio;
  readonly query: Ratio;
}

/** Undefined on a server without pgvector. */
export async function measureArchival(url: string, passages: number): Promise<ArchivalCost | undefined> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rowCount } = await client.query("select from pg_available_extensions where name = 'vector'");
    return rowCount === 0 ? undefined : await measure(url, client, passages);
  } finally {
    await client.end();
  }
}

async function measure(url: string, client: pg.Client, passages: number): Promise<ArchivalCost> {
  const schema = `bench_${passages}`;
  const sql = createPgSql({ connectionString: url });
  await client.query(`drop schema if exists ${schema} cascade`);
  const driver = createPgvectorArchival({ sql, dimension: DIMENSION, schema, indexFrom: passages });
  await driver.open();
  await client.query(
    `create table ${schema}.bare (like ${schema}.vectors including defaults including storage, primary key (scope, id))`,
  );
  const vectors = createVectors();
  const load = await measureLoad(passages, vectors, {
    ours: (entries) => driver.upsert('bench', entries),
    bare: (entries) => copyBare(client, `${schema}.bare`, entries),
  });
  await client.query(`create index on ${schema}.bare using hnsw (embedding vector_cosine_ops)`);
  await client.query(`vacuum analyze ${schema}.bare, ${schema}.vectors`);
  // The first large scan has the driver make its own.
  await driver.query({ scope: 'bench', vector: vectors(), limit: LIMIT });
  await indexMade(client, schema);
  // As thorough as the driver is: pgvector's own 40 finds less.
  await client.query('set hnsw.ef_search = 100');
  const query = await measureQueries(vectors, {
    ours: (vector) => driver.query({ scope: 'bench', vector, limit: LIMIT }),
    bare: (vector) => queryBare(client, `${schema}.bare`, vector),
  });
  await driver.close();
  await sql.close();
  await client.query(`drop schema ${schema} cascade`);
  return { passages, load, query };
}

interface Sides<In> {
  ours(input: In): Promise<unknown>;
  bare(input: In): Promise<unknown>;
}

async function measureLoad(
  passages: number,
  vectors: () => Float32Array,
  sides: Sides<readonly VectorEntry[]>,
): Promise<Ratio> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let at = 0; at < passages; at += BATCH) {
    const entries = Array.from({ length: BATCH }, (_, i) => ({
      id: `p${at + i}`,
      vector: vectors(),
      at: at + i,
    }));
    await turnAbout(times, at / BATCH, sides, entries);
  }
  return ratioOf(times.ours, times.bare);
}

async function measureQueries(vectors: () => Float32Array, sides: Sides<Float32Array>): Promise<Ratio> {
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let i = 0; i < WARM_UP + QUERIES; i += 1) await turnAbout(times, i, sides, vectors());
  return ratioOf(times.ours.slice(WARM_UP), times.bare.slice(WARM_UP));
}

/** Who is first changes, so that neither always finds what the other has warmed. */
async function turnAbout<In>(
  times: { readonly ours: number[]; readonly bare: number[] },
  turn: number,
  sides: Sides<In>,
  input: In,
): Promise<void> {
  const order = turn % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const);
  for (const side of order) times[side].push(await timed(() => sides[side](input)));
}

async function copyBare(client: pg.Client, table: string, entries: readonly VectorEntry[]): Promise<void> {
  const stream = client.query(
    from(`copy ${table} (scope, id, embedding, at) from stdin with (format binary)`),
  );
  await pipeline([binaryRows(entries)], stream);
}

/** As short as it can be written: no checks, and vectors as they are. */
function binaryRows(entries: readonly VectorEntry[]): Buffer {
  const bytes = Buffer.alloc(21 + entries.length * (64 + 4 * DIMENSION));
  let at = bytes.write('PGCOPY\n\xff\r\n\0', 0, 'latin1') + 8;
  for (const { id, vector, at: instant } of entries) {
    at = bytes.writeInt16BE(4, at);
    for (const text of ['bench', id]) {
      at = bytes.writeInt32BE(text.length, at);
      at += bytes.write(text, at);
    }
    at = bytes.writeInt32BE(4 + 4 * DIMENSION, at);
    at = bytes.writeInt32BE(DIMENSION << 16, at);
    for (const x of vector) at = bytes.writeFloatBE(x, at);
    at = bytes.writeDoubleBE(instant, bytes.writeInt32BE(8, at));
  }
  return bytes.subarray(0, bytes.writeInt16BE(-1, at));
}

function queryBare(client: pg.Client, table: string, vector: Float32Array): Promise<unknown> {
  return client.query(
    `select id, 1 - (embedding <=> $1) / 2 as score from ${table} order by embedding <=> $1 limit ${LIMIT}`,
    [`[${vector.join(',')}]`],
  );
}

/** In heaps, as those of sentences are. */
function createVectors(): () => Float32Array {
  const next = createNumbers(7);
  const random = (size: number) => Float32Array.from({ length: DIMENSION }, () => (next() - 0.5) * size);
  const middles = Array.from({ length: HEAPS }, () => random(1));
  return () => {
    const middle = middles[Math.floor(next() * HEAPS)];
    return random(0.5).map((x, i) => x + (middle?.[i] ?? 0));
  };
}

async function indexMade(client: pg.Client, schema: string): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ made: boolean }>('select to_regclass($1) is not null as made', [
      `${schema}.vectors_by_meaning`,
    ]);
    if (rows[0]?.made === true) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
