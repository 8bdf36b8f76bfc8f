export { createPgvectorArchival } from './driver.js';
export { type PgvectorArchivalOptions, pgvectorArchivalOptions } from './options.js';
