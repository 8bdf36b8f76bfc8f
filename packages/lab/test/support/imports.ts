import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import {
  collectTrace,
  type ImportOptions,
  importTrace,
  type Skipped,
  type TraceLine,
  traceSource,
} from '../../src/index.js';

/** A folder for the files of each test, removed after it. */
export function useFolder() {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pagefault-lab-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  return {
    path: (name: string) => join(folder, name),
    write: async (name: string, content: string | readonly unknown[]) => {
      const lines = () => (content as readonly unknown[]).map((one) => JSON.stringify(one)).join('\n');
      await writeFile(join(folder, name), typeof content === 'string' ? content : lines());
      return join(folder, name);
    },
  };
}

export interface Imported {
  readonly lines: TraceLine[];
  readonly skipped: Skipped[];
}

/** Checked on the way. */
export async function imported(
  name: string,
  files: string | readonly string[],
  options: ImportOptions = {},
): Promise<Imported> {
  const result: Imported = { lines: [], skipped: [] };
  const all = typeof files === 'string' ? [files] : files;
  const onSkipped = (one: Skipped) => void result.skipped.push(one);
  for await (const line of importTrace(traceSource(name), all, { onSkipped, ...options }))
    result.lines.push(line);
  return result;
}

export const traceOf = async (...given: Parameters<typeof imported>) =>
  collectTrace((await imported(...given)).lines);

/** What happened, on one line each: pages by kind and size, steps by what they need. */
export function told(lines: readonly TraceLine[]): string[] {
  return lines.flatMap((line) => {
    switch (line.type) {
      case 'page':
        return [`${line.kind} ${line.tok}${line.failed ? ' failed' : ''}`];
      case 'step':
        return [`step at ${line.ms} needs ${line.needs.map(({ id }) => id).join(' ') || 'nothing'}`];
      case 'boundary':
        return [line.kind];
      case 'supersede':
        return [`${line.new} supersedes ${line.old}`];
      case 'usage':
        return [`read ${line.read} wrote ${line.write} plain ${line.plain} out ${line.out}`];
      case 'header':
        return [];
    }
  });
}
