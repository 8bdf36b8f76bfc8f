import { redact } from './redact.js';

const SECRET_KEY =
  /api[-_]?key|secret|password|passphrase|authorization|credential|headers|^token$|(?:access|auth|bearer)[-_]?token/i;

/** Whether a setting of this name holds what must not be printed. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

// Without its password an address is no secret, but which part of a malformed one is the password nobody can say.
const MALFORMED_SECRET = /connection[-_]?string/i;

function isHidden(key: string): boolean {
  return isSecretKey(key) || MALFORMED_SECRET.test(key);
}

/** Characters of a text that is shown: enough to know it again. */
const LONGEST_SHOWN = 80;

/** The value at `path` for an error message; never what a secret key holds, nor the inside of an object or list. */
export function shownValue(value: unknown, path: readonly PropertyKey[]): string {
  if (path.some((key) => isHidden(String(key)))) return 'the value';
  if (typeof value === 'string') return quoted(redact(value));
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'function' ? 'a function' : String(value);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
}
