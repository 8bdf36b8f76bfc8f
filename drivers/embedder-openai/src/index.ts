export { createOpenAIEmbedder } from './driver.js';
export type { EmbeddingsClient } from './client.js';
export { type EmbeddingModel, MODELS } from './models.js';
export { optionsSchema, type OpenAIEmbedderOptions } from './options.js';
