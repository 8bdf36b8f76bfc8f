import { isSqlPort, SCHEMA_NAME, type SqlPort } from '@pagefault/driver-kit';
import { z } from 'zod';

export const pgvectorArchivalOptions = z.strictObject({
  sql: z
    .custom<SqlPort>(isSqlPort, 'must be a SqlPort')
    .describe('The database: createPgliteSql, or createPgSql on a server that has pgvector.'),
  dimension: z
    .int()
    .min(1)
    // The limit of pgvector's type `vector`.
    .max(16_000)
    .describe('The length of every vector: the embedder’s dimension.'),
  schema: z
    .string()
    .regex(SCHEMA_NAME, 'must be 1 to 63 lower-case letters, digits or underscores')
    .default('pagefault')
    .describe('The PostgreSQL schema that holds the table; made when it is not there.'),
});

export type PgvectorArchivalOptions = z.input<typeof pgvectorArchivalOptions>;
