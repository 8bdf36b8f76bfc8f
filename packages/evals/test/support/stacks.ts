/** The same kernel on different disks. */
import { join } from 'node:path';
import type { ArchivalDriver, EmbedderDriver, RecallDriver } from '@pagefault/contracts';
import { findPostgres, type QdrantDouble, startPostgres, startQdrantDouble } from '@pagefault/doubles';
import { createPgvectorArchival } from '@pagefault/driver-archival-pgvector';
import { createQdrantArchival } from '@pagefault/driver-archival-qdrant';
import { createLocalEmbedder } from '@pagefault/driver-embedder-local';
import { createMemoryArchival, createMemoryRecall } from '@pagefault/driver-memory';
import { createPgliteSql } from '@pagefault/driver-pglite';
import { createPgSql, createPostgresRecall } from '@pagefault/driver-recall-postgres';
import type { SqlPort } from '@pagefault/driver-kit';
import type { Resource } from '@pagefault/kernel';

export interface Disks {
  readonly recall: RecallDriver;
  readonly archival: ArchivalDriver;
  readonly resources?: readonly Resource[];
}

export interface Stack {
  readonly name: string;
  /** Drivers over what earlier ones stored: for each start of the kernel anew. */
  disks(dimension: number): Disks;
}

export function inMemory(): Stack {
  let held: Disks | undefined;
  // What the drivers hold outlives their `close`: so a restart can be played.
  const disks = (dimension: number): Disks =>
    (held ??= { recall: createMemoryRecall(), archival: createMemoryArchival({ dimension }) });
  return { name: 'memory', disks };
}

export function onPglite(folder: string): Stack {
  return {
    name: 'PGlite with pgvector',
    disks(dimension) {
      const sql = createPgliteSql({ dataDir: join(folder, 'pgvector'), fsync: false });
      const archival = createPgvectorArchival({ sql, dimension });
      return { recall: createPostgresRecall({ sql }), archival, resources: [resource(sql)] };
    },
  };
}

export function onPgliteWithQdrant(folder: string, { url }: QdrantDouble): Stack {
  return {
    name: 'PGlite with Qdrant',
    disks(dimension) {
      const sql = createPgliteSql({ dataDir: join(folder, 'qdrant'), fsync: false });
      const archival = createQdrantArchival({ url, dimension, collection: 'embedded' });
      return { recall: createPostgresRecall({ sql }), archival, resources: [resource(sql)] };
    },
  };
}

export function onServerWithQdrant(connectionString: string, { url }: QdrantDouble): Stack {
  return {
    name: 'PostgreSQL with Qdrant',
    disks(dimension) {
      const sql = createPgSql({ connectionString });
      const archival = createQdrantArchival({ url, dimension, collection: 'server' });
      return {
        recall: createPostgresRecall({ sql, schema: 'invariant_7' }),
        archival,
        resources: [resource(sql)],
      };
    },
  };
}

function resource(sql: SqlPort): Resource {
  return { name: 'the database', open: (signal) => sql.open(signal), close: () => sql.close() };
}

export interface Servers {
  readonly qdrant: QdrantDouble;
  /** Of `PAGEFAULT_PG_URL`, or one of our own; undefined where no PostgreSQL is installed. */
  readonly postgres?: string;
  close(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const given = process.env['PAGEFAULT_PG_URL'];
  const bin = given === undefined ? findPostgres() : undefined;
  const own = bin === undefined ? undefined : await startPostgres(bin, ['-c fsync=off']);
  const qdrant = await startQdrantDouble();
  const postgres = given ?? own?.url;
  return {
    qdrant,
    ...(postgres !== undefined && { postgres }),
    async close() {
      await qdrant.close();
      await own?.remove();
    },
  };
}

/** The real one, which embeds each text once for all stacks: it is the dearest part of a step. */
export async function openEmbedder(): Promise<EmbedderDriver & { readonly end: () => Promise<void> }> {
  const real = createLocalEmbedder();
  await real.open();
  const known = new Map<string, Float32Array>();
  return {
    ...real,
    open: async () => undefined,
    close: async () => undefined,
    end: () => real.close(),
    async embed(texts, signal) {
      const fresh = [...new Set(texts)].filter((text) => !known.has(text));
      const vectors = fresh.length === 0 ? [] : await real.embed(fresh, signal);
      fresh.forEach((text, i) => known.set(text, vectors[i] ?? new Float32Array()));
      return texts.map((text) => known.get(text) ?? new Float32Array());
    },
  };
}
