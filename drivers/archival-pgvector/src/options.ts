import type { PagefaultError } from '@pagefault/contracts';
import { isSqlPort, SCHEMA_NAME, type SqlPort } from '@pagefault/driver-kit';
import { z } from 'zod';
import { NAME } from './errors.js';

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
  indexFrom: z
    .int()
    .min(1)
    .optional()
    .describe(
      'Scopes of so many vectors and more are searched by an index, which may miss. Default: 10,000 on a server, never in the embedded database.',
    ),
  onWarning: z
    .custom<WarningListener>((value) => typeof value === 'function', 'expected a function')
    .default(() => emitWarning)
    .describe('Told when there is no index though one would help. Default: process.emitWarning.'),
});

/**
 * Below it a scan is good enough and never misses. Measured with 512 numbers a vector on a busy server: a scan takes 13 ms
 * for 5,000 vectors, 22 for 10,000 and 61 for 20,000; the index takes 4 ms, and costs some ms for each vector written.
 */
export const INDEX_FROM = 10_000;

/**
 * Entries of one call from which they are loaded by COPY. Measured with 512 numbers a vector, microseconds an entry, by
 * statements and by COPY: on a busy server 1,700 and 1,100 for 16 entries, 800 and 230 for 64, 1,800 and 105 for 1,000; in the
 * embedded database 4,200 and 1,100 for 16, 5,000 and 190 for 1,000. For one or two, its extra round trips cost more.
 */
export const COPY_FROM = 16;

/** Bytes of vectors in one COPY: it is built in memory, and is under a statement's time-out. */
export const COPY_BYTES = 8 * 1024 * 1024;

function emitWarning({ message, hint, code }: PagefaultError): void {
  process.emitWarning(`${message}. ${hint ?? ''}`, { type: NAME, code });
}

/** Told what works, but not as well as it could. */
export type WarningListener = (warning: PagefaultError) => void;

export type PgvectorArchivalOptions = z.input<typeof pgvectorArchivalOptions>;
