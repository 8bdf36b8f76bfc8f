import { invalid } from './errors.js';

/** The JSON text of a value. Errors: `E_INVALID` for what JSON cannot hold. */
export function toJson(what: string, value: unknown): string {
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    cause = error;
  }
  if (text === undefined) throw invalid(`${what} is not JSON`, undefined, cause);
  return text;
}

/** Cursors are JSON arrays of the last item's sort key. Errors: `E_INVALID` for anything else. */
export function parseCursor(
  cursor: string,
  types: readonly ('number' | 'string')[],
): readonly (number | string)[] {
  let parts: unknown;
  let cause: unknown;
  try {
    parts = JSON.parse(cursor);
  } catch (error) {
    cause = error;
  }
  if (isKey(parts, types)) return parts;
  const hint = 'pass the cursor of the slice before, of the same query';
  throw invalid(`the cursor ${JSON.stringify(cursor)} is not one of ours`, hint, cause);
}

function isKey(parts: unknown, types: readonly string[]): parts is readonly (number | string)[] {
  return (
    Array.isArray(parts) &&
    parts.length === types.length &&
    types.every((type, i) => typeof parts[i] === type)
  );
}
