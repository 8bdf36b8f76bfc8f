import { isSqlPort, SCHEMA_NAME, type SqlPort } from '@pagefault/driver-kit';
import { z } from 'zod';

export const postgresRecallOptions = z.strictObject({
  sql: z
    .custom<SqlPort>(isSqlPort, 'must be a SqlPort')
    .describe('The database: createPgliteSql or createPgSql.'),
  schema: z
    .string()
    .regex(SCHEMA_NAME, 'must be 1 to 63 lower-case letters, digits or underscores')
    .default('pagefault')
    .describe('The PostgreSQL schema that holds the tables; made when it is not there.'),
});

export type PostgresRecallOptions = z.input<typeof postgresRecallOptions>;
