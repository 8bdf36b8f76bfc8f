/** Which files are imported: files as they are named, folders by what the source's files are called. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import type { TraceSource } from './source.js';

const PACKED = /\.(?:gz|zst)$/;

/** In the order given, and by path within a folder. Errors: `E_NOT_FOUND` for what is not there, and a folder that holds none. */
export async function filesOf(source: TraceSource, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) found.push(...(await filesAt(source, path)));
  return [...new Set(found)];
}

async function filesAt(source: TraceSource, path: string): Promise<string[]> {
  if (!(await isFolder(path))) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && source.files.test(entry.name.replace(PACKED, '')))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  if (files.length > 0) return files;
  throw new PagefaultError('E_NOT_FOUND', `${path} holds no file of ${source.name}`, {
    hint: `it reads: ${source.reads}; name files that are called otherwise one by one`,
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (cause) {
    throw new PagefaultError('E_NOT_FOUND', `there is no ${path}`, { cause });
  }
}
