import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PagefaultError } from '@pagefault/contracts';
import type { Environment } from './config.js';
import { variable } from './environment.js';
import { faultLine } from './fault-line.js';
import { parseJson } from './json.js';

const NAMES = ['pagefault.config.json', 'pagefault.config.mjs', 'pagefault.config.js'];

export interface Where {
  /** Absolute. */
  readonly cwd: string;
  /** Asked for by the caller; before `PAGEFAULT_CONFIG`. Relative to `cwd`. */
  readonly file?: string;
  readonly env: Environment;
}

/** The file to read, or undefined when none was asked for and none is there. It is looked for in `cwd` only. */
export function findConfigFile({ cwd, file, env }: Where): string | undefined {
  const asked = file ?? variable(env, 'PAGEFAULT_CONFIG');
  if (asked === undefined) return NAMES.map((name) => join(cwd, name)).find((path) => existsSync(path));
  const path = resolve(cwd, asked);
  if (existsSync(path)) return path;
  throw new PagefaultError('E_CONFIG', `there is no configuration file ${path}`, {
    hint: file === undefined ? 'correct or unset PAGEFAULT_CONFIG' : 'correct the path',
  });
}

/** What the file holds: parsed JSON, or the default export of a module. */
export async function readConfigFile(path: string): Promise<unknown> {
  return ['.mjs', '.js', '.cjs'].includes(extname(path))
    ? await importDefault(path)
    : parseJson(path, await readText(path));
}

/** The address to import a file by. A bare `C:\x.mjs` would be taken for the protocol `c:` (E10). */
export function moduleAddress(path: string, windows = process.platform === 'win32'): string {
  return pathToFileURL(path, { windows }).href;
}

async function importDefault(path: string): Promise<unknown> {
  const module = await importModule(path);
  if (module['default'] !== undefined) return module['default'];
  throw new PagefaultError('E_CONFIG', `${path} has no default export`, {
    hint: 'write `export default { … }`',
  });
}

async function importModule(path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    return (await import(moduleAddress(path))) as Readonly<Record<string, unknown>>;
  } catch (cause) {
    const line = await faultLine(path, cause);
    throw unreadable(line === undefined ? path : `${path}, line ${line}`, cause);
  }
}

async function readText(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  return text.replace(/^\uFEFF/, '');
}

function unreadable(place: string, cause: unknown): PagefaultError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new PagefaultError('E_CONFIG', `cannot read ${place}: ${why}`, { cause });
}
