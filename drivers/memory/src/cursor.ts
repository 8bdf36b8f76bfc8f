import { PagefaultError } from '@pagefault/contracts';

/** Cursors are JSON arrays of the last item's sort key. Errors: `E_INVALID` for anything else. */
export function parseCursor(cursor: string, types: readonly ('number' | 'string')[]): readonly unknown[] {
  let parts: unknown;
  let cause: unknown;
  try {
    parts = JSON.parse(cursor);
  } catch (error) {
    cause = error;
  }
  const fits =
    Array.isArray(parts) &&
    parts.length === types.length &&
    types.every((type, i) => typeof parts[i] === type);
  if (fits) return parts as readonly unknown[];
  throw new PagefaultError('E_INVALID', `the cursor ${JSON.stringify(cursor)} is not one of ours`, {
    driver: 'memory',
    hint: 'pass the cursor of the slice before, of the same query',
    cause,
  });
}
