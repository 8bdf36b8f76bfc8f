import type { ArchivalCase } from './instance.js';
import { lifecycle } from './lifecycle.js';
import { lists } from './lists.js';
import { query } from './query.js';
import { rebuilding } from './rebuild.js';
import { scopes } from './scopes.js';
import { writes } from './writes.js';

/** Every promise of `ArchivalDriver`. */
export const archivalCases: readonly ArchivalCase[] = [
  ...lifecycle,
  ...writes,
  ...query,
  ...lists,
  ...scopes,
  ...rebuilding,
];
