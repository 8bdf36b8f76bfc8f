import type { SqlPort } from '@pagefault/driver-kit';
import { z } from 'zod';

export const postgresRecallOptions = z.strictObject({
  sql: z
    .custom<SqlPort>(isPort, 'must be a SqlPort')
    .describe('The database: createPgliteSql or createPgSql.'),
  schema: z
    .string()
    // PostgreSQL cuts longer names off silently (NAMEDATALEN is 64 bytes).
    .regex(/^[a-z_][a-z0-9_]{0,62}$/, 'must be 1 to 63 lower-case letters, digits or underscores')
    .default('pagefault')
    .describe('The PostgreSQL schema that holds the tables; made when it is not there.'),
});

export type PostgresRecallOptions = z.input<typeof postgresRecallOptions>;

function isPort(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'query' in value && 'transaction' in value;
}
