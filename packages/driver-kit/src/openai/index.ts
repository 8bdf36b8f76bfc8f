/** What the drivers that speak OpenAI's API share. */
export * from './base-url.js';
export * from './client-options.js';
export * from './errors.js';
export * from './options.js';
