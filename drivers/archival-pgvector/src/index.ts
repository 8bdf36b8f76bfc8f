export { createPgvectorArchival } from './driver.js';
export { type PgvectorArchivalOptions, pgvectorArchivalOptions, type WarningListener } from './options.js';
