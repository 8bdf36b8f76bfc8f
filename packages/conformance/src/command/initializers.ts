import { existsSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PagefaultError } from '@pagefault/contracts';
import { type Initializer, SUITE_KINDS } from '../initializer.js';
import { Hanging, within } from './within.js';

const FORM = "export default { kind: 'recall', name: 'my recall', create: () => ({ driver }) }";

type Module = Readonly<Record<string, unknown>>;

/**
 * Errors: `E_CONFIG`, saying what to do, for a file that is not there, cannot be run within `limit` milliseconds, or
 * exports no initializer.
 */
export async function readInitializers(
  file: string,
  cwd: string,
  limit: number,
): Promise<readonly Initializer[]> {
  const path = resolve(cwd, file);
  if (!existsSync(path))
    throw refusal(`there is no file ${path}`, 'the path is relative to the current folder');
  const module = await importModule(path, limit);
  const given = module['default'];
  if (given === undefined)
    throw refusal(`${path} has no default export${others(module)}`, `write \`${FORM}\``);
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length === 0) throw refusal(`the default export of ${path} is an empty list`, `write \`${FORM}\``);
  return list.map((one, i) => checked(one, `${path}${list.length > 1 ? `, initializer ${i + 1}` : ''}`));
}

/** How a module is imported by Node itself: takes the address. */
export type NativeImport = (address: string) => Promise<unknown>;

/** Errors: `E_CONFIG` when it throws while it is read or run, or does not end within `limit` milliseconds. */
export async function importModule(
  path: string,
  limit: number,
  native: NativeImport = (address) => import(address),
): Promise<Module> {
  try {
    const read = native(pathToFileURL(path).href).catch((error: unknown) => {
      if (!isTypeScript(path) || !isBeyondNode(error)) throw error;
      return importTypeScript(path);
    });
    return (await within(limit, read)) as Module;
  } catch (cause) {
    throw refusal(`${path} cannot be loaded: ${reasonOf(cause)}`, hintFor(cause), cause);
  }
}

function isTypeScript(path: string): boolean {
  return ['.ts', '.mts', '.cts'].includes(extname(path));
}

// Node below 22.18 runs no types; a newer one neither knows enums nor that `./a.js` may be `./a.ts`.
function isBeyondNode(error: unknown): boolean {
  return [
    'ERR_UNKNOWN_FILE_EXTENSION',
    'ERR_MODULE_NOT_FOUND',
    'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
    'ERR_INVALID_TYPESCRIPT_SYNTAX',
    'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  ].includes((error as { code?: string }).code ?? '');
}

async function importTypeScript(path: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  return createJiti(import.meta.url, { fsCache: false, interopDefault: false }).import(path);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof Hanging) return 'its import does not come to an end';
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}

function hintFor(cause: unknown): string {
  const isVitest = cause instanceof Error && /\bvitest\b/i.test(cause.message);
  return isVitest
    ? 'an initializer registers no tests: export the setup by default instead of calling `conformRecall` or its like'
    : 'correct the file; PAGEFAULT_DEBUG=1 shows the whole stack';
}

function others(module: Module): string {
  const names = Object.keys(module).sort();
  return names.length === 0 ? '' : `, only ${names.join(', ')}`;
}

function checked(given: unknown, place: string): Initializer {
  if (typeof given !== 'object' || given === null)
    throw refusal(`${place}: an initializer is an object, not ${typeof given}`, `write \`${FORM}\``);
  const { kind, name, create } = given as Module;
  const known = SUITE_KINDS.join(', ');
  if (!SUITE_KINDS.some((one) => one === kind)) {
    const what = kind === undefined ? 'there is no `kind`' : `the kind ${JSON.stringify(kind)} is not known`;
    throw refusal(`${place}: ${what}`, `known kinds: ${known}`);
  }
  if (typeof name !== 'string' || name === '')
    throw refusal(`${place}: there is no \`name\``, 'give one, for the title of the report');
  if (typeof create !== 'function')
    throw refusal(
      `${place}: \`create\` is no function`,
      'it gives { driver } over empty storage, each time anew',
    );
  return given as Initializer;
}

function refusal(message: string, hint: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', message, { hint, cause });
}
