import type { Fact } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';

/** Which server, whether it takes writes, and how much is stored; the last as PostgreSQL estimates it. */
export async function factsOf(sql: SqlPort, schema: string, signal?: AbortSignal): Promise<readonly Fact[]> {
  const { rows } = await sql.query<{
    version: string;
    standby: boolean;
    messages: number | null;
    bytes: number;
  }>(
    `select current_setting('server_version') as version, pg_is_in_recovery() as standby,
       nullif(reltuples, -1)::bigint as messages, pg_total_relation_size(oid) as bytes
     from pg_class where oid = to_regclass($1)`,
    [`${schema}.log`],
    signal,
  );
  const [found] = rows;
  if (found === undefined) return [];
  // Before its first analysis PostgreSQL has no estimate.
  const estimate = found.messages === null ? '' : `about ${found.messages} messages, `;
  const size = `${estimate}${Math.ceil(found.bytes / 1_048_576)} MiB`;
  return [
    {
      name: 'server',
      value: `PostgreSQL ${found.version}${found.standby ? ', a standby that only reads' : ''}`,
    },
    { name: 'place', value: sql.description },
    { name: 'log', value: size },
  ];
}
