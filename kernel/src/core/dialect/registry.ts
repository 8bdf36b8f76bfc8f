import { PagefaultError } from '@pagefault/contracts';
import type { Dialect } from './dialect.js';
import { memgpt } from './memgpt.js';
import { native } from './native.js';

export const DIALECTS = { memgpt, native } as const satisfies Record<string, Dialect>;

export type DialectName = keyof typeof DIALECTS;

/** Errors: `E_CONFIG` for an unknown name, listing the known ones. */
export function findDialect(name: string): Dialect {
  const found = Object.entries(DIALECTS).find(([known]) => known === name);
  if (found) return found[1];
  throw new PagefaultError('E_CONFIG', `dialect "${name}" is not known`, {
    hint: `known dialects: ${Object.keys(DIALECTS).join(', ')}`,
  });
}
