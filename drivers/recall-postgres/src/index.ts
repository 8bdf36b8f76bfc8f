export { createPostgresRecall } from './driver.js';
export { type PostgresRecallOptions, postgresRecallOptions } from './options.js';
