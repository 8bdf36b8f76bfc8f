import type { Environment } from './config.js';
import { isPlain, variablesIn } from './expand.js';
import type { Origin } from './problems.js';

/** Settings that the command line has an option for, of the same name. */
const COMMAND_LINE: ReadonlySet<string> = new Set(['window', 'processor', 'record']);

/** Values of the caller, else of the file, whose text `raw` names the variables that a value was taken from. */
export function originOf(source: string, raw: unknown, overrides: object, env: Environment): Origin {
  return (path) => {
    const [top = ''] = path;
    if (Object.hasOwn(overrides, top))
      return COMMAND_LINE.has(top) ? `the overrides (--${top})` : 'the overrides';
    const names = variablesIn(valueAt(raw, path)).filter((name) => env[name]);
    return names.length === 0 ? source : `${source} (by the variable ${names.join(', ')})`;
  };
}

function valueAt(value: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return value;
  return isPlain(value) && Object.hasOwn(value, key) ? valueAt(value[key], rest) : undefined;
}
