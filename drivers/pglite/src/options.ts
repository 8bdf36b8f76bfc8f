import { join } from 'node:path';
import { homedir } from 'node:os';
import { z } from 'zod';

/** A database that is gone with the port: for tests. */
export const MEMORY = 'memory://';

export const pgliteOptions = z.strictObject({
  dataDir: z
    .string()
    .min(1)
    .describe('Folder of the store, made when it is not there; `memory://` keeps nothing.'),
  fsync: z
    .boolean()
    // Without it a killed process loses nothing, but a power cut may. Costs about 0.3 ms a commit on an SSD.
    .default(true)
    .describe('Wait for the disk at each commit.'),
  cacheDir: z
    .string()
    .min(1)
    .optional()
    .describe('Folder for the seed, which makes a first open several times faster. It may be deleted.'),
});

export type PgliteOptions = z.input<typeof pgliteOptions>;

/** The cache folder by the environment: PAGEFAULT_CACHE_DIR, XDG_CACHE_HOME, or ~/.cache. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  if (env['PAGEFAULT_CACHE_DIR']) return env['PAGEFAULT_CACHE_DIR'];
  return join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pagefault');
}
