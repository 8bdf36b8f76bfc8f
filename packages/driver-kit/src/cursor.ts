import { PagefaultError } from '@pagefault/contracts';

type KeyType = 'number' | 'string';

/** Cursors are JSON arrays of the last item's sort key. Errors: `E_INVALID` for anything else. */
export function parseCursor(
  driver: string,
  cursor: string,
  types: readonly KeyType[],
): readonly (number | string)[] {
  let parts: unknown;
  let cause: unknown;
  try {
    parts = JSON.parse(cursor);
  } catch (error) {
    cause = error;
  }
  if (isKey(parts, types)) return parts;
  throw new PagefaultError('E_INVALID', `the cursor ${JSON.stringify(cursor)} is not one of ours`, {
    driver,
    hint: 'pass the cursor of the slice before, of the same query',
    cause,
  });
}

function isKey(parts: unknown, types: readonly KeyType[]): parts is readonly (number | string)[] {
  return (
    Array.isArray(parts) &&
    parts.length === types.length &&
    types.every((type, i) => typeof parts[i] === type)
  );
}
