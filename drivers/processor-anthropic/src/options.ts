import {
  clientOption,
  httpURL,
  keyOption,
  parseOptions,
  PROCESSOR_OPTIONS,
  sizeLimits,
  wrongOption,
} from '@pagefault/driver-kit';
import { z } from 'zod';
import type { MessagesClient } from './api.js';
import { ANTHROPIC_BASE_URL, normaliseBaseURL } from './base-url.js';
import { factsOfModel, type ModelFacts } from './models.js';
import { pricesOfModel } from './prices.js';

export const DRIVER_NAME = 'processor-anthropic';

/** What the driver itself decides; an extra body that changed it would break the protocol. */
const RESERVED = [
  'messages',
  'system',
  'tools',
  'stream',
  'model',
  'max_tokens',
  'thinking',
  'cache_control',
];

/** The service takes no smaller budget. */
export const LEAST_BUDGET = 1_024;

export const optionsSchema = z.strictObject({
  ...PROCESSOR_OPTIONS,
  model: z.string().min(1).describe("The model's id at the provider, for example claude-haiku-4-5."),
  apiKey: keyOption.describe('Needed for Anthropic itself. Never read from the environment here.'),
  baseURL: httpURL
    .default(ANTHROPIC_BASE_URL)
    .describe('The server, with or without /v1; any other path is kept as it is.'),
  client: clientOption<MessagesClient>('messages').describe(
    'An instance of the official SDK or a function that gives one: for Bedrock, Vertex, own fetch.',
  ),
  parallelCalls: z.boolean().default(true).describe('False asks for one call at a time.'),
  thinking: z
    .union([z.enum(['adaptive', 'disabled']), z.int().min(LEAST_BUDGET)])
    .optional()
    .describe(
      "'adaptive', 'disabled', or a budget in tokens for models before 4.7. Default: what the model does by itself.",
    ),
  replayThinking: z
    .boolean()
    .optional()
    .describe(
      "Whether the model's own thinking is sent back to it. Default by model table: not where it is bound to its prefix.",
    ),
  cache: z
    .enum(['5m', '1h', 'off'])
    .default('5m')
    .describe('How long marked prefixes are kept; off marks none.'),
  counting: z
    .enum(['bounds', 'exact'])
    .default('bounds')
    .describe("exact asks the provider's count_tokens for each piece, once; bounds needs no network."),
  extraBody: z
    .record(z.string(), z.json())
    .default({})
    .refine((body) => !RESERVED.some((key) => key in body), `may not set ${RESERVED.join(', ')}`)
    .describe('Further fields of the request, for example output_config: { effort: "low" }.'),
});

export type AnthropicProcessorOptions = z.input<typeof optionsSchema>;
export type Options = Omit<z.output<typeof optionsSchema>, keyof ModelFacts | 'replayThinking'> &
  Omit<ModelFacts, 'thinking'> & {
    readonly thinking: 'adaptive' | 'disabled' | number | undefined;
    readonly replayThinking: boolean;
  };

/** Errors: `E_CONFIG`. */
export function readOptions(input: AnthropicProcessorOptions): Options {
  const parsed = parseOptions(DRIVER_NAME, optionsSchema, input);
  const baseURL = normaliseBaseURL(parsed.baseURL);
  if (parsed.apiKey === undefined && parsed.client === undefined && baseURL === ANTHROPIC_BASE_URL)
    throw wrongOption(
      DRIVER_NAME,
      'apiKey: missing',
      'set ANTHROPIC_API_KEY or the option apiKey, or point baseURL at a server of your own',
    );
  const facts = factsOfModel(parsed.model);
  const limits = sizeLimits(DRIVER_NAME, parsed, facts);
  checkThinking(parsed, facts, limits.maxOutput);
  return {
    ...parsed,
    ...facts,
    ...limits,
    baseURL,
    images: parsed.images ?? facts.images,
    prices: parsed.prices ?? pricesOfModel(parsed.model, parsed.cache),
    thinking: parsed.thinking,
    replayThinking: parsed.replayThinking ?? !facts.bindsThinking,
  };
}

function checkThinking(
  { model, thinking }: z.output<typeof optionsSchema>,
  facts: ModelFacts,
  maxOutput: number,
): void {
  if (thinking === 'adaptive' && facts.thinking === 'budget')
    throw wrongOption(
      DRIVER_NAME,
      `thinking: ${model} cannot think adaptively`,
      'give a budget in tokens instead',
    );
  if (typeof thinking !== 'number') return;
  if (facts.thinking === 'adaptive')
    throw wrongOption(
      DRIVER_NAME,
      `thinking: ${model} takes no budget of ${thinking} tokens`,
      "say 'adaptive' instead, and how much by extraBody: { output_config: { effort } }",
    );
  if (thinking >= maxOutput)
    throw wrongOption(
      DRIVER_NAME,
      `thinking: a budget of ${thinking} tokens leaves nothing of the ${maxOutput} of a reply`,
      'lower thinking or raise maxOutput',
    );
}
