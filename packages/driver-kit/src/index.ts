export * from './lifecycle.js';
export * from './migrations.js';
export * from './options.js';
export * from './pieces.js';
export * from './redact.js';
export * from './retry.js';
export * from './sql.js';
export * from './tokens.js';
