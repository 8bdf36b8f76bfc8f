import { basename } from 'node:path';

/** The file's name; the path as it was given when another of `files` has that name too. */
export function sourceOf(file: string, files: readonly string[]): string {
  const name = basename(file);
  return files.filter((other) => basename(other) === name).length > 1 ? file : name;
}
