import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { StartOptions } from '@pagefault/wiring';
import type { EvalOptions } from './eval.js';

/** Runs on the stack that the caller names, else on the embedded store in a folder that is gone afterwards. */
export async function withTemporaryStore<T>(
  options: EvalOptions,
  work: (start: StartOptions) => Promise<T>,
): Promise<T> {
  if (options.start) return work(options.start);
  const folder = await mkdtemp(join(tmpdir(), 'pagefault-eval-'));
  try {
    return await work({ cwd: folder, env: {}, overrides: { processor: 'reflex' } });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`;
}
