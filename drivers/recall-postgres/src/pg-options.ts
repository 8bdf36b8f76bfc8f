import type { Pool } from 'pg';
import { z } from 'zod';

export const pgSqlOptions = z
  .strictObject({
    connectionString: z
      .string()
      .min(1)
      .optional()
      .describe(
        'postgres://user:password@host:port/database; parts left out come from PGHOST, PGUSER and so on.',
      ),
    pool: z
      .custom<Pool>(isPool, 'must be a Pool of pg')
      .optional()
      .describe('A pool of your own, instead of a connectionString. It is never ended here.'),
    maxConnections: z
      .int()
      .min(1)
      // pg's own default. A process runs on one kernel at a time, so that few statements overlap.
      .default(10)
      .describe('The most connections of the pool that is made here.'),
    acquireTimeout: z
      .int()
      .min(1)
      // A connection that is not had by then points at a server that is down or a pool that leaks (B07).
      .default(10_000)
      .describe('How long to wait for a connection, in milliseconds.'),
    statementTimeout: z
      .int()
      .min(0)
      // Far above any statement of ours; a turn must not hang on a lock for ever.
      .default(60_000)
      .describe('How long the server may work on one statement, in milliseconds; 0 means no limit.'),
  })
  .refine((options) => (options.pool === undefined) !== (options.connectionString === undefined), {
    error: 'give either connectionString or pool',
  });

export type PgSqlOptions = z.input<typeof pgSqlOptions>;
export type ParsedPgSqlOptions = z.output<typeof pgSqlOptions>;

/**
 * Milliseconds on top of `statementTimeout`. Longer than a slow network or a busy client takes; who says nothing then
 * is frozen or cut off.
 */
const GRACE = 5_000;

export interface TimeLimits {
  /** Of the server, for a statement; 0 means none. */
  readonly statementTimeout: number;
  /** Of the server, for the client's next statement within a transaction; 0 means none. */
  readonly idleTimeout: number;
  /** Of the client, for the server's answer; Infinity means none. */
  readonly patience: number;
}

export function timeLimits({ statementTimeout }: ParsedPgSqlOptions): TimeLimits {
  const isLimited = statementTimeout > 0;
  const longer = statementTimeout + GRACE;
  return { statementTimeout, idleTimeout: isLimited ? longer : 0, patience: isLimited ? longer : Infinity };
}

function isPool(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'connect' in value && 'query' in value;
}
