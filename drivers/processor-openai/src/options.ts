import {
  clientOption,
  extraBodyOption,
  OPENAI_BASE_URL,
  OPENAI_OPTIONS,
  parseOptions,
  PROCESSOR_OPTIONS,
  serverAddress,
  sizeLimits,
} from '@pagefault/driver-kit';
import { z } from 'zod';
import type { OpenAIClient } from './client.js';
import { limitsOfModel, type ModelLimits } from './models.js';
import { pricesOfModel } from './prices.js';

export const DRIVER_NAME = 'processor-openai';

/** What the driver itself decides; an extra body that changed it would break the protocol. */
const RESERVED = ['messages', 'input', 'instructions', 'tools', 'stream', 'store', 'model', 'n'];

export type Api = 'chat' | 'responses';

export const optionsSchema = z.strictObject({
  ...PROCESSOR_OPTIONS,
  ...OPENAI_OPTIONS,
  model: z.string().min(1).describe("The model's id at the provider, for example gpt-4o."),
  api: z
    .enum(['auto', 'chat', 'responses'])
    .default('auto')
    .describe(
      'auto: Responses with OpenAI itself, so that reasoning is kept from one cycle to the next; else Chat Completions.',
    ),
  reasoning: z
    .boolean()
    .optional()
    .describe(
      'Whether the model reasons, so that its reasoning is asked for. Default by model table, else false.',
    ),
  client: clientOption<OpenAIClient>('chat').describe(
    'An instance of the official SDK or a function that gives one: for Azure, own fetch.',
  ),
  outputLimitField: z
    .enum(['max_completion_tokens', 'max_tokens'])
    .default('max_completion_tokens')
    .describe('`max_tokens` for older compatible servers.'),
  counting: z
    .enum(['bounds', 'exact'])
    .default('bounds')
    .describe(
      'exact asks Responses for its count of each piece, once, where the server offers it; bounds needs no network.',
    ),
  parallelCalls: z.boolean().default(true).describe('False asks for one call at a time.'),
  strictTools: z
    .boolean()
    .default(false)
    .describe('Asks for strict decoding of those functions whose schemas allow it as they are.'),
  callsInText: z
    .boolean()
    .optional()
    .describe(
      'Whether calls that the model spells out in its text are read. Default: with every server but OpenAI itself.',
    ),
  promptCacheKey: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Sends requests that share a prefix to the same cache: one key an agent, or a few that are alike.',
    ),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Default: the provider's own. Reasoning models refuse it."),
  extraBody: extraBodyOption(RESERVED, 'reasoning_effort'),
});

export type OpenAIProcessorOptions = z.input<typeof optionsSchema>;
export type Options = Omit<z.output<typeof optionsSchema>, 'api' | 'callsInText'> &
  ModelLimits & { readonly api: Api; readonly callsInText: boolean };

/** Errors: `E_CONFIG`. */
export function readOptions(input: OpenAIProcessorOptions): Options {
  const parsed = parseOptions(DRIVER_NAME, optionsSchema, input);
  const baseURL = serverAddress(DRIVER_NAME, parsed);
  const prices = parsed.prices ?? pricesOfModel(parsed.model);
  const callsInText = parsed.callsInText ?? baseURL !== OPENAI_BASE_URL;
  return { ...parsed, baseURL, api: apiOf(parsed, baseURL), callsInText, ...limitsOf(parsed), prices };
}

// A client that was given may be of any service; all of them speak Chat Completions.
function apiOf({ api, client }: z.output<typeof optionsSchema>, baseURL: string): Api {
  if (api !== 'auto') return api;
  return client === undefined && baseURL === OPENAI_BASE_URL ? 'responses' : 'chat';
}

function limitsOf(options: z.output<typeof optionsSchema>): ModelLimits {
  const table = limitsOfModel(options.model);
  return {
    ...sizeLimits(DRIVER_NAME, options, table),
    images: options.images ?? table.images,
    reasons: options.reasoning ?? table.reasons,
  };
}
