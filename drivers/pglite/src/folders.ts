import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, readable by its user only. Node's own `recursive` tries for ever where the
 * parent is there and the file system still answers ENOENT, as /proc does; here each folder is tried twice.
 * Errors: the operating system's own.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    const parent = dirname(folder);
    if (errorCode(error) !== 'ENOENT' || parent === folder) throw error;
    await makeFolder(parent);
    await makeOne(folder);
  }
}

// What an agent remembers is its user's own business.
const MODE = 0o700;

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: MODE });
  } catch (error) {
    // Not every file system says EEXIST first of what is there.
    if (kindOf(folder) !== 'folder') throw error;
  }
}

/** The first thing on the way up from `path`, itself included, that is there and no folder. */
export function fileOnTheWay(path: string): string | undefined {
  const kind = kindOf(path);
  if (kind !== undefined) return kind === 'file' ? path : undefined;
  const parent = dirname(path);
  return parent === path ? undefined : fileOnTheWay(parent);
}

function kindOf(path: string): 'folder' | 'file' | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found && (found.isDirectory() ? 'folder' : 'file');
  } catch {
    return undefined; // it cannot be seen from here
  }
}

export function errorCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
