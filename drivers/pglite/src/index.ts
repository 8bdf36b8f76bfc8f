export { createPgliteSql } from './port.js';
export { defaultCacheDir, MEMORY, pgliteOptions, type PgliteOptions } from './options.js';
