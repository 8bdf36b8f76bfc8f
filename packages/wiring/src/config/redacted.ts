import { isSecretKey, redact } from '@pagefault/driver-kit';
import type { Config } from './config.js';
import { isPlain } from './expand.js';

/** The configuration for people and logs: without keys, passwords and headers, and without what is not data. */
export function redacted(config: Config): Readonly<Record<string, unknown>> {
  return withoutSecrets(config, '') as Readonly<Record<string, unknown>>;
}

function withoutSecrets(value: unknown, key: string): unknown {
  if (isSecretKey(key) && value !== undefined) return '[hidden]';
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, ''));
  if (isPlain(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, withoutSecrets(item, name)]),
    );
  return typeof value === 'object' && value !== null
    ? '[object]'
    : typeof value === 'function'
      ? '[function]'
      : value;
}
