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
