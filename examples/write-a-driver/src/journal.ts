import { mkdir, open, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The lines of a file; none when there is none. What a crash cut off at its end was never acknowledged. */
export async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '';
  });
  return text.split('\n').slice(0, -1);
}

/** The line is on the disk when this resolves: to a function that takes it back. */
export async function append(path: string, line: string): Promise<() => Promise<void>> {
  await using file = await open(path, 'a');
  const { size } = await file.stat();
  try {
    await file.appendFile(`${line}\n`);
    await file.sync();
  } catch (error) {
    await file.truncate(size); // On a full disk, half a line must not become the beginning of the next one.
    throw error;
  }
  return () => truncate(path, size);
}

/** A crash leaves the old file or the new one. */
export async function rewrite(path: string, lines: readonly string[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.new`, lines.map((line) => `${line}\n`).join(''), { flush: true });
  await rename(`${path}.new`, path);
  await using folder = await open(dirname(path));
  await folder.sync();
}
