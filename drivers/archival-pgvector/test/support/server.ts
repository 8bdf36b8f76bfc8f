import type { SqlPort } from '@pagefault/driver-kit';
import { createPgSql } from '@pagefault/driver-recall-postgres';

export type Server =
  { readonly sql: SqlPort; readonly lack?: undefined } | { readonly sql?: undefined; readonly lack: string };

/** The server of `PAGEFAULT_PG_URL`, open, when it has pgvector; otherwise what is lacking. */
export async function findServer(): Promise<Server> {
  const url = process.env['PAGEFAULT_PG_URL'];
  if (url === undefined) return { lack: 'PAGEFAULT_PG_URL is not set' };
  const sql = createPgSql({ connectionString: url });
  await sql.open();
  const { rows } = await sql.query("select 1 from pg_available_extensions where name = 'vector'");
  if (rows.length > 0) return { sql };
  await sql.close();
  return { lack: 'the server of PAGEFAULT_PG_URL has no pgvector' };
}

/** Another database of the same server. */
export async function otherDatabase(name: string): Promise<SqlPort> {
  const url = new URL(process.env['PAGEFAULT_PG_URL'] ?? '');
  url.pathname = name;
  const sql = createPgSql({ connectionString: url.href });
  await sql.open();
  return sql;
}
