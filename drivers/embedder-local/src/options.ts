import type { PagefaultError } from '@pagefault/contracts';
import { EMBEDDER_OPTIONS } from '@pagefault/driver-kit';
import { z } from 'zod';
import { DRIVER } from './model/facts.js';

/** Told what works, but not as well as it could. */
export type WarningListener = (warning: PagefaultError) => void;

/** How the vectors of tokens become one. `graph`: the ONNX graph does it, and gives it as `sentence_embedding`. */
export const POOLINGS = ['mean', 'cls', 'last', 'graph'] as const;
export type Pooling = (typeof POOLINGS)[number];

/** Number formats of weights, as file names of ONNX models tell them apart. */
export const DTYPES = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;
export type Dtype = (typeof DTYPES)[number];

/** The model that comes with the driver. */
export const BUNDLED = 'bundled';

export const localEmbedderOptions = z.strictObject({
  model: z
    .string()
    .min(1)
    .default(BUNDLED)
    .describe(
      '`bundled`; the folder of a sentence transformer with its ONNX graph; or a hub id, owner/name. The last two need the package @huggingface/transformers.',
    ),
  /** One thread is the default: with two a sentence takes a third less time, but the rest of the machine pays for it. */
  threads: z.int().min(1).max(64).default(1).describe('Threads of the native runtime.'),
  /** Larger batches gain nothing once texts are sorted by length. */
  batchSize: z.int().min(1).max(256).default(32).describe('The most windows that are run at once.'),
  cacheDir: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Where the graph, and models of the hub, are kept. Default: PAGEFAULT_CACHE_DIR, else the cache folder of the user.',
    ),
  runtime: z
    .enum(['auto', 'onnx', 'plain'])
    .default('auto')
    .describe(
      'Of the bundled model. auto: onnxruntime-node when it can be loaded, else plain TypeScript (some thirty times slower).',
    ),
  dtype: z.enum(DTYPES).optional().describe('Number format of the weights. Default fp32.'),
  pooling: z
    .enum(POOLINGS)
    .optional()
    .describe(
      'How the vectors of tokens become one. Default as the folder says, or the table of hub models.',
    ),
  dimension: z
    .int()
    .min(1)
    .max(16_384)
    .optional()
    .describe('Numbers a vector. Default as the folder says, or the table of hub models.'),
  maxTokens: z
    .int()
    .min(16)
    .max(131_072)
    .optional()
    .describe(
      'Tokens that one vector can stand for. Default as the folder says, or the table of hub models.',
    ),
  revision: z
    .string()
    .regex(/^[\w./-]{1,128}$/)
    .optional()
    .describe('Branch, tag or commit of a hub model. Default main.'),
  ...EMBEDDER_OPTIONS,
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
