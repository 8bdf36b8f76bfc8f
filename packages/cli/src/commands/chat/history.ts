import { appendFile, readFile } from 'node:fs/promises';
import { HISTORY_LINES } from './prompt.js';
import { unlessMissing } from '../shared/missing.js';

/** What was typed in earlier chats. */
export interface History {
  /** Newest first. */
  readonly lines: readonly string[];
  add(line: string): Promise<void>;
}

/** Kept in a file that only its owner may read. A file that cannot be used is told once, and the chat goes on. */
export async function openHistory(
  file: string | undefined,
  onProblem: (text: string) => void,
): Promise<History> {
  if (file === undefined) return { lines: [], add: async () => {} };
  let isUsable = true;
  const problem = (error: unknown) => {
    isUsable = false;
    onProblem(`the history is not kept: ${error instanceof Error ? error.message : String(error)}`);
  };
  const lines = await readNewest(file).catch((error: unknown) => (problem(error), []));
  return {
    lines,
    add: async (line) => {
      if (isUsable) await appendFile(file, `${line}\n`, { mode: 0o600 }).catch(problem);
    },
  };
}

async function readNewest(file: string): Promise<string[]> {
  const text = (await readFile(file, 'utf8').catch(unlessMissing)) ?? '';
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.slice(-HISTORY_LINES).reverse();
}
