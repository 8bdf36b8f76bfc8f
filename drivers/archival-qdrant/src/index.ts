export type { QdrantApi, QdrantApiClient } from './api.js';
export { createQdrantArchival } from './driver.js';
export { type QdrantArchivalOptions, qdrantArchivalOptions } from './options.js';
