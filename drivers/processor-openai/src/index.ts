export { createOpenAIProcessor } from './driver.js';
export type { ChatClient } from './chat.js';
export { limitsOfModel, MODELS, UNKNOWN_MODEL, type ModelLimits } from './models.js';
export { optionsSchema, type OpenAIProcessorOptions } from './options.js';
