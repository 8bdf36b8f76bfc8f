import { PagefaultError } from '@pagefault/contracts';
import { classic } from './classic.js';
import type { Layout } from './layout.js';
import { stable } from './stable.js';
import { userLast } from './user-last.js';

export const LAYOUTS = { stable, classic, 'user-last': userLast } as const satisfies Record<string, Layout>;

export type LayoutName = keyof typeof LAYOUTS;

/** Errors: `E_CONFIG` for an unknown name, listing the known ones. */
export function findLayout(name: string): Layout {
  const found = Object.entries(LAYOUTS).find(([known]) => known === name);
  if (found) return found[1];
  throw new PagefaultError('E_CONFIG', `layout "${name}" is not known`, {
    hint: `known layouts: ${Object.keys(LAYOUTS).join(', ')}`,
  });
}
