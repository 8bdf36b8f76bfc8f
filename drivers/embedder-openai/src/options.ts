import type { Tokens } from '@pagefault/contracts';
import {
  clientOption,
  EMBEDDER_OPTIONS,
  extraBodyOption,
  OPENAI_OPTIONS,
  parseOptions,
  PROCESSOR_OPTIONS,
  serverAddress,
  wrongOption,
} from '@pagefault/driver-kit';
import { z } from 'zod';
import type { EmbeddingsClient } from './client.js';
import { MODELS } from './models.js';

export const DRIVER_NAME = 'embedder-openai';

/** What the driver itself decides. */
const RESERVED = ['input', 'model', 'encoding_format', 'dimensions'];

export const optionsSchema = z.strictObject({
  model: z.string().min(1).default('text-embedding-3-small').describe("The model's id at the provider."),
  ...OPENAI_OPTIONS,
  headers: PROCESSOR_OPTIONS.headers,
  proxy: PROCESSOR_OPTIONS.proxy,
  client: clientOption<EmbeddingsClient>('embeddings').describe(
    'An instance of the official SDK or a function that gives one: for Azure, own fetch.',
  ),
  dimension: z
    .int()
    .min(1)
    .max(16_384)
    .optional()
    .describe(
      "Numbers a vector. Default by model table; of OpenAI's newer models a smaller one shortens the vectors.",
    ),
  maxTokens: z
    .int()
    .min(16)
    .optional()
    .describe('Tokens that one vector can stand for. Default by model table, else 512.'),
  maxWindows: z
    .int()
    .min(1)
    .max(1_024)
    .default(16)
    .describe('Windows that one long text may cost; of a longer one evenly spaced windows are taken.'),
  batchTexts: z
    .int()
    .min(1)
    .max(2_048)
    .default(256)
    .describe('The most texts of one request. OpenAI takes 2,048; servers of your own often less.'),
  batchTokens: z
    .int()
    .min(16)
    .default(100_000)
    .describe(
      'The most tokens of one request. OpenAI takes 300,000; a third keeps each request a matter of seconds.',
    ),
  price: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe(
      'US dollars per million tokens, for the caps on spending. Default by model table, else not known.',
    ),
  ...EMBEDDER_OPTIONS,
  extraBody: extraBodyOption(RESERVED, 'input_type'),
  deadline: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(120_000)
    .describe('Milliseconds for one request with all its tries.'),
  idleTimeout: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(30_000)
    .describe('Milliseconds that one try may take: a batch is answered in a few seconds.'),
  attempts: z.int().min(1).max(10).default(4).describe('Tries of one request in all.'),
  timing: PROCESSOR_OPTIONS.timing,
});

export type OpenAIEmbedderOptions = z.input<typeof optionsSchema>;

export type Options = z.output<typeof optionsSchema> & {
  readonly dimension: number;
  readonly maxTokens: Tokens;
  /** What is sent as `dimensions`; undefined when nothing is. */
  readonly shortenTo: number | undefined;
  /** Whether the tokenizer is known, so that a count is exact. */
  readonly countsExactly: boolean;
};

/** What one vector of a server of unknown model can stand for: the limit of most sentence transformers. */
const USUAL_MAX_TOKENS = 512;

/** Errors: `E_CONFIG`. */
export function readOptions(input: OpenAIEmbedderOptions): Options {
  const parsed = parseOptions(DRIVER_NAME, optionsSchema, input);
  const baseURL = serverAddress(DRIVER_NAME, parsed);
  const known = MODELS[parsed.model];
  const dimension = parsed.dimension ?? known?.dimension;
  if (dimension === undefined)
    throw wrongOption(
      DRIVER_NAME,
      `dimension: missing, and the model "${parsed.model}" is none of ${Object.keys(MODELS).join(', ')}`,
      'say how many numbers a vector of this model has',
    );
  return {
    ...parsed,
    baseURL,
    dimension,
    shortenTo: shortening(parsed.model, dimension),
    maxTokens: parsed.maxTokens ?? known?.maxTokens ?? USUAL_MAX_TOKENS,
    price: parsed.price ?? known?.price,
    countsExactly: known !== undefined,
  };
}

function shortening(model: string, dimension: number): number | undefined {
  const known = MODELS[model];
  if (known === undefined || dimension === known.dimension) return undefined;
  if (known.canShorten && dimension < known.dimension) return dimension;
  throw wrongOption(
    DRIVER_NAME,
    `dimension: ${dimension} is not what ${model} gives, which is ${known.dimension} numbers${known.canShorten ? ' or fewer' : ''}`,
    'leave dimension out, or choose another model',
  );
}
