import type { Fact } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';
import { formOf } from './form.js';
import { hasIndex } from './hnsw.js';
import type { Names } from './schema.js';

export interface Asked {
  readonly dimension: number;
  /** Vectors of a scope from which the index is used; Infinity means never. */
  readonly indexFrom: number;
}

/** Which server and extension, how vectors are searched, and how many there are; the last as PostgreSQL estimates it. */
export async function factsOf(
  sql: SqlPort,
  names: Names,
  asked: Asked,
  signal?: AbortSignal,
): Promise<readonly Fact[]> {
  const { rows } = await sql.query<{
    server: string;
    extension: string;
    vectors: number | null;
    bytes: number;
  }>(
    `select current_setting('server_version') as server,
       (select extversion from pg_extension where extname = 'vector') as extension,
       nullif(reltuples, -1)::bigint as vectors, pg_total_relation_size(oid) as bytes
     from pg_class where oid = to_regclass($1)`,
    [names.table],
    signal,
  );
  const [found] = rows;
  if (found === undefined) return [];
  // Before its first analysis PostgreSQL has no estimate.
  const estimate = found.vectors === null ? '' : `about ${found.vectors}, `;
  return [
    { name: 'server', value: `PostgreSQL ${found.server} with pgvector ${found.extension}` },
    { name: 'place', value: sql.description },
    { name: 'index', value: await indexFact(sql, names, asked) },
    { name: 'vectors', value: `${estimate}${Math.ceil(found.bytes / 1_048_576)} MiB` },
  ];
}

async function indexFact(sql: SqlPort, names: Names, { dimension, indexFrom }: Asked): Promise<string> {
  if (await hasIndex(sql, names)) return `HNSW by ${formOf(names, dimension).type.split('.').at(-1)}`;
  if (indexFrom === Infinity) return 'none: every query scans its scope';
  return `none yet: made for scopes of ${indexFrom} vectors and more`;
}
