import { randomUUID } from 'node:crypto';
import { PagefaultError } from '@pagefault/contracts';
import {
  normaliseBaseURL,
  OPENAI_BASE_URL,
  parseOptions,
  SYSTEM_TIMING,
  type Timing,
} from '@pagefault/driver-kit';
import { z } from 'zod';
import type { ChatClient } from './chat.js';
import { limitsOfModel, type ModelLimits } from './models.js';

export const DRIVER_NAME = 'processor-openai';

const isFunction = (value: unknown): boolean => typeof value === 'function';
const isClientOrFactory = (value: unknown): boolean =>
  isFunction(value) || (typeof value === 'object' && value !== null && 'chat' in value);
const httpURL = z.url({ protocol: /^https?$/, error: 'expected an http or https address' });

/** What the driver itself decides; an extra body that changed it would break the protocol. */
const RESERVED = ['messages', 'tools', 'stream', 'model', 'n'];

export const optionsSchema = z.strictObject({
  model: z.string().min(1).describe("The model's id at the provider, for example gpt-4o."),
  apiKey: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Needed for OpenAI itself; most servers of your own take none. Never read from the environment here.',
    ),
  baseURL: httpURL
    .default(OPENAI_BASE_URL)
    .describe('The server: `http://host:port` becomes `…/v1`, any other path is kept as it is.'),
  organization: z.string().optional().describe('OpenAI organisation id.'),
  project: z.string().optional().describe('OpenAI project id.'),
  headers: z.record(z.string(), z.string()).default({}).describe('Sent with every request, for gateways.'),
  client: z
    .custom<ChatClient | (() => Promise<ChatClient> | ChatClient)>(
      isClientOrFactory,
      'expected a client or a function',
    )
    .optional()
    .describe('An instance of the official SDK or a function that gives one: for proxies, Azure, own fetch.'),
  window: z
    .int()
    .min(512)
    .optional()
    .describe('Tokens of input and output together. Default by model table, else 32,768.'),
  maxOutput: z
    .int()
    .min(1)
    .optional()
    .describe(
      'The most tokens of one reply. Default by model table, else 4,096; at most half of the window.',
    ),
  images: z
    .boolean()
    .optional()
    .describe('Whether the model reads images. Default by model table, else false.'),
  outputLimitField: z
    .enum(['max_completion_tokens', 'max_tokens'])
    .default('max_completion_tokens')
    .describe('`max_tokens` for older compatible servers.'),
  parallelCalls: z.boolean().default(true).describe('False asks for one call at a time.'),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .optional()
    .describe("Default: the provider's own. Reasoning models refuse it."),
  extraBody: z
    .record(z.string(), z.json())
    .default({})
    .refine((body) => !RESERVED.some((key) => key in body), `may not set ${RESERVED.join(', ')}`)
    .describe('Further fields of the request, for example reasoning_effort.'),
  deadline: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(600_000)
    .describe(
      'Milliseconds for one inference with all its tries. Ten minutes: long reasoning takes several.',
    ),
  idleTimeout: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(120_000)
    .describe(
      'Milliseconds of silence, before the first event too. Reasoning models may be silent for over a minute.',
    ),
  attempts: z
    .int()
    .min(1)
    .max(10)
    .default(4)
    .describe('Tries in all, while nothing was shown yet. Four wait about four seconds in all.'),
  mintId: z
    .custom<() => string>(isFunction, 'expected a function')
    .default(() => mintCallId)
    .describe('Gives each call its id: unique, 1 to 40 characters of [a-zA-Z0-9_-].'),
  timing: z
    .custom<Timing>(
      (value) => typeof value === 'object' && value !== null && 'sleep' in value,
      'expected a Timing',
    )
    .default(SYSTEM_TIMING)
    .describe('Clock, chance and sleep of the retries, for tests.'),
});

export type OpenAIProcessorOptions = z.input<typeof optionsSchema>;
export type Options = z.output<typeof optionsSchema> & ModelLimits;

/** 37 characters: OpenAI takes 40 at most. */
function mintCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

/** Errors: `E_CONFIG`. */
export function readOptions(input: OpenAIProcessorOptions): Options {
  const parsed = parseOptions(DRIVER_NAME, optionsSchema, input);
  const baseURL = normaliseBaseURL(parsed.baseURL);
  if (parsed.apiKey === undefined && parsed.client === undefined && baseURL === OPENAI_BASE_URL)
    throw config(
      'apiKey: missing',
      'set OPENAI_API_KEY or the option apiKey, or point baseURL at a server of your own',
    );
  return { ...parsed, baseURL, ...limitsOf(parsed) };
}

function limitsOf(options: z.output<typeof optionsSchema>): ModelLimits {
  const table = limitsOfModel(options.model);
  const window = options.window ?? table.window;
  // A window set small for a test or a local server must not be eaten by the table's output limit.
  const maxOutput = options.maxOutput ?? Math.min(table.maxOutput, Math.floor(window / 2));
  if (maxOutput >= window)
    throw config(
      `maxOutput: ${maxOutput} is not less than the window of ${window} tokens`,
      'lower maxOutput or raise window',
    );
  return { window, maxOutput, images: options.images ?? table.images };
}

function config(message: string, hint: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `${DRIVER_NAME}.${message}`, { driver: DRIVER_NAME, hint });
}
