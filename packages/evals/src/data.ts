import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PagefaultError } from '@pagefault/contracts';

/**
 * The folder of evaluation data, which is not part of this repository: `folder`, else `PAGEFAULT_DATA`, else
 * `../shared/data` beside the working directory.
 */
export function dataFolder(folder: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(folder ?? env['PAGEFAULT_DATA'] ?? join('..', 'shared', 'data'));
}

/** Errors: `E_NOT_FOUND`, saying where it was looked for. */
export async function dataFile(folder: string, ...path: readonly string[]): Promise<string> {
  const file = join(folder, ...path);
  try {
    await access(file);
    return file;
  } catch (cause) {
    throw new PagefaultError('E_NOT_FOUND', `the data file ${file} is not there`, {
      cause,
      hint: 'name the data folder by --sets or PAGEFAULT_DATA',
    });
  }
}

export async function* readJsonLines<T>(file: string): AsyncGenerator<T> {
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line.trim() !== '') yield JSON.parse(line) as T;
  }
}
