export { createAnthropicProcessor } from './driver.js';
export type { MessagesClient } from './api.js';
export { factsOfModel, MODELS, UNKNOWN_MODEL, type ModelFacts } from './models.js';
export { PRICES, pricesOfModel } from './prices.js';
export { optionsSchema, type AnthropicProcessorOptions } from './options.js';
