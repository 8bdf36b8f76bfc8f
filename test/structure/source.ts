import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Path from the root of the repository, with `/`, to the text of the file. */
export type Files = ReadonlyMap<string, string>;

/** One breach of a rule: where, and what is wrong. */
export type Breach = string;

/** Names between an import's braces, and the module that they come from. */
export interface Import {
  readonly from: string;
  readonly names: readonly string[];
}

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage']);
const TEXT = /\.(ts|mjs|json|jsonc|md|yaml|yml|sql|sh)$/;

/** Every text file that people wrote. Folders that begin with a dot hold caches, but for the one of the checks. */
export function readRepository(root: string): Files {
  const files = new Map<string, string>();
  for (const path of walk(root, '')) files.set(path, readFileSync(join(root, path), 'utf8'));
  return files;
}

function* walk(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const hidden = entry.name.startsWith('.') && entry.name !== '.ci';
    if (entry.isDirectory() && !hidden && !SKIPPED_FOLDERS.has(entry.name)) yield* walk(root, path);
    else if (entry.isFile() && !hidden && (TEXT.test(entry.name) || folder === '.ci')) yield path;
  }
}

const COMMENT_OR_STRING =
  /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text without comments. */
export function withoutComments(text: string): string {
  return text.replace(COMMENT_OR_STRING, (_match, quoted = '', template = '') => `${quoted}${template}`);
}

// Template strings may quote code: what is left without them are the statements.
function statementsOf(text: string): string {
  return text.replace(COMMENT_OR_STRING, (_match, quoted = '') => `${quoted}`);
}

const STATIC = /(?:^|[;\n])\s*(?:import|export)\s+(?:type\s+)?([^;'"]*?)\s*from\s*['"]([^'"]+)['"]/g;
const BARE = /(?:^|[;\n])\s*import\s*['"]([^'"]+)['"]/g;
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g;

/** What a file imports or re-exports: values and types, at load or later. */
export function importsOf(text: string): Import[] {
  const code = statementsOf(text);
  const named = [...code.matchAll(STATIC)].map(([, clause = '', from = '']) => ({
    from,
    names: namesIn(clause),
  }));
  const others = [...code.matchAll(BARE), ...code.matchAll(DYNAMIC)];
  return [...named, ...others.map(([, from = '']) => ({ from, names: [] }))];
}

function namesIn(clause: string): string[] {
  const inside = /\{([^}]*)\}/.exec(clause)?.[1] ?? '';
  const words = inside.split(',').map((part) =>
    part
      .trim()
      .replace(/^type\s+/, '')
      .replace(/\s+as\s.*$/, ''),
  );
  return words.filter((word) => word !== '');
}

/** The package in a module name: `@a/b/c` is of `@a/b`, `pg/lib` of `pg`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
