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
    ? await importDefault(path, 'write `export default { … }`')
    : parseJson(path, await readText(path));
}

/** The address to import a file by. A bare `C:\x.mjs` would be taken for the protocol `c:` (E10). */
export function moduleAddress(path: string, windows = process.platform === 'win32'): string {
  return pathToFileURL(path, { windows }).href;
}

/** The default export of a module in JavaScript or TypeScript. Errors: `E_CONFIG`, with path, line and reason. */
export async function importDefault(path: string, hint: string): Promise<unknown> {
  const module = await importModule(path);
  if (module['default'] !== undefined) return module['default'];
  throw new PagefaultError('E_CONFIG', `${path} has no default export`, { hint });
}

type Module = Readonly<Record<string, unknown>>;

async function importModule(path: string): Promise<Module> {
  try {
    const isTypeScript = ['.ts', '.mts', '.cts'].includes(extname(path));
    return isTypeScript ? await importTypeScript(path) : ((await import(moduleAddress(path))) as Module);
  } catch (cause) {
    const line = await faultLine(path, cause);
    throw unreadable(line === undefined ? path : `${path}, line ${line}`, cause);
  }
}

/** Node below 22.18 runs no types. Nothing is cached on disk: a configuration leaves no files behind. */
async function importTypeScript(path: string): Promise<Module> {
  const { createJiti } = await import('jiti');
  return await createJiti(import.meta.url, { fsCache: false, interopDefault: false }).import<Module>(path);
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
