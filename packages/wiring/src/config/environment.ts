import type { Environment } from './config.js';

/** What a variable says, without white space at its ends; undefined when that leaves nothing. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
