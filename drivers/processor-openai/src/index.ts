export { createOpenAIProcessor } from './driver.js';
export type { ChatClient } from './chat/api.js';
export type { OpenAIClient } from './client.js';
export type { ResponsesClient } from './responses/api.js';
export { limitsOfModel, MODELS, UNKNOWN_MODEL, type ModelLimits } from './models.js';
export { PRICES, pricesOfModel } from './prices.js';
export { optionsSchema, type OpenAIProcessorOptions } from './options.js';
