import type { Environment } from './config.js';

// `$${` stands for a literal `${`; a default reaches to the closing brace, whatever is in it.
const REFERENCE = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{/g;

export interface Expanded {
  readonly value: unknown;
  readonly problems: readonly string[];
}

/**
 * Replaces `${VAR}` and `${VAR:-default}` in every string, however deep (E04). As in a shell, `:-` also covers a variable
 * that is set to nothing; without a default both are problems. Objects of classes are left alone.
 */
export function expandVariables(value: unknown, env: Environment, path: readonly string[] = []): Expanded {
  if (typeof value === 'string') return expandText(value, env, path.join('.'));
  if (Array.isArray(value))
    return collect(Object.entries(value), env, path, (entries) => entries.map(([, item]) => item));
  if (isPlain(value)) return collect(Object.entries(value), env, path, Object.fromEntries);
  return { value, problems: [] };
}

function collect(
  entries: readonly [string, unknown][],
  env: Environment,
  path: readonly string[],
  rebuild: (entries: [string, unknown][]) => unknown,
): Expanded {
  const expanded = entries.map(([key, item]) => [key, expandVariables(item, env, [...path, key])] as const);
  return {
    value: rebuild(expanded.map(([key, item]) => [key, item.value])),
    problems: expanded.flatMap(([, item]) => item.problems),
  };
}

function expandText(text: string, env: Environment, key: string): Expanded {
  const problems: string[] = [];
  const value = text.replace(REFERENCE, (_all, escaped?: string, name?: string, fallback?: string) => {
    if (escaped !== undefined) return escaped;
    if (name === undefined)
      problems.push(`${key}: "\${" begins no variable; write "$\${" for the characters themselves`);
    const set = name === undefined ? undefined : env[name];
    if (set !== undefined && set !== '') return set;
    if (fallback !== undefined) return fallback;
    if (name !== undefined) problems.push(unset(key, name, set));
    return '';
  });
  return { value, problems };
}

function unset(key: string, name: string, value: string | undefined): string {
  const state = value === undefined ? 'not set' : 'empty';
  return `${key}: the environment variable ${name} is ${state}; set it, or write "\${${name}:-default}"`;
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
