import type { Environment } from './config.js';
import type { Problem } from './problems.js';

// `$${` stands for a literal `${`; a default reaches to the closing brace, whatever is in it.
const REFERENCE = /\$(\$\{)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\$\{/g;

export interface Expanded {
  readonly value: unknown;
  readonly problems: readonly Problem[];
}

/**
 * Replaces `${VAR}` and `${VAR:-default}` in every string, however deep (E04). As in a shell, `:-` also covers a variable
 * that is set to nothing; without a default both are problems. Objects of classes are left alone.
 */
export function expandVariables(value: unknown, env: Environment, path: readonly string[] = []): Expanded {
  if (typeof value === 'string') return expandText(value, env, path);
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

function expandText(text: string, env: Environment, path: readonly string[]): Expanded {
  const problems: Problem[] = [];
  const value = text.replace(REFERENCE, (_all, escaped?: string, name?: string, fallback?: string) => {
    if (escaped !== undefined) return escaped;
    if (name === undefined) problems.push({ path, words: BEGINS_NOTHING });
    const set = name === undefined ? undefined : env[name];
    if (set !== undefined && set !== '') return set;
    if (fallback !== undefined) return fallback;
    if (name !== undefined) problems.push({ path, words: unset(name, set) });
    return '';
  });
  return { value, problems };
}

const BEGINS_NOTHING = '"${" begins no variable; write "$${" for the characters themselves';

function unset(name: string, value: string | undefined): string {
  const state = value === undefined ? 'not set' : 'empty';
  return `the environment variable ${name} is ${state}; set it, or write "\${${name}:-default}"`;
}

/** The variables that a text refers to. */
export function variablesIn(value: unknown): string[] {
  if (typeof value !== 'string') return [];
  return [...value.matchAll(REFERENCE)].flatMap(([, , name]) => name ?? []);
}

export function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
