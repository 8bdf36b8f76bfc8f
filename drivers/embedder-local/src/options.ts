import type { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { DRIVER } from './model/facts.js';

/** Told what works, but not as well as it could. */
export type WarningListener = (warning: PagefaultError) => void;

export const localEmbedderOptions = z.strictObject({
  /** One thread is the default: with two a sentence takes a third less time, but the rest of the machine pays for it. */
  threads: z.int().min(1).max(64).default(1).describe('Threads of the native runtime.'),
  /** Larger batches gain nothing once texts are sorted by length. */
  batchSize: z.int().min(1).max(256).default(32).describe('The most windows that are run at once.'),
  cacheDir: z
    .string()
    .min(1)
    .optional()
    .describe('Where the graph is kept. Default: PAGEFAULT_CACHE_DIR, else the cache folder of the user.'),
  runtime: z
    .enum(['auto', 'onnx', 'plain'])
    .default('auto')
    .describe(
      'auto: onnxruntime-node when it can be loaded, else plain TypeScript (some thirty times slower).',
    ),
  onWarning: z
    .custom<WarningListener>((value) => typeof value === 'function', 'expected a function')
    .default(() => emitWarning)
    .describe('Told when the slow runtime or no cache is used. Default: process.emitWarning.'),
});

/** What a caller may give; all of it is optional. */
export type LocalEmbedderOptions = z.input<typeof localEmbedderOptions>;

/** The options with their defaults. */
export type LocalEmbedderSettings = z.output<typeof localEmbedderOptions>;

function emitWarning(warning: PagefaultError): void {
  process.emitWarning(`${warning.message}. ${warning.hint ?? ''}`, { type: DRIVER, code: warning.code });
}
