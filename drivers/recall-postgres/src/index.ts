export { createPostgresRecall } from './driver.js';
export { type PostgresRecallOptions, postgresRecallOptions } from './options.js';
export { type PgSqlOptions, pgSqlOptions } from './pg-options.js';
export { createPgSql } from './pg-sql.js';
