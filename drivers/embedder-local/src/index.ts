export { createLocalEmbedder } from './driver.js';
export { localEmbedderOptions, type LocalEmbedderOptions, type WarningListener } from './options.js';
