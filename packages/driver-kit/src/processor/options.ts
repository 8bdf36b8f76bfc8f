import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { reportedField } from './usage.js';
import { proxyOption, proxySecrets } from '../proxy.js';
import { SYSTEM_TIMING, type Timing } from '../retry.js';
import { pricesOption } from './prices.js';

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** 37 characters: OpenAI takes 40 at most. */
function mintCallId(): string {
  return `call_${randomUUID().replaceAll('-', '')}`;
}

// What fetch refuses later, with the value in its message.
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
const HEADER_VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

const headersOption = z.record(
  z.string().regex(HEADER_NAME, 'no name of a header'),
  z.string().regex(HEADER_VALUE, 'has a line break or a character that no header can have'),
);

/** Without the white space that comes along when a key is copied. */
export const keyOption = z
  .string()
  .trim()
  .min(1, 'is empty')
  .regex(/^[\u0021-\u007e]*$/, 'has white space or a character that no key has: copy it again')
  .optional();

/** The options that every driver of a provider takes. */
export const PROCESSOR_OPTIONS = {
  headers: headersOption.default({}).describe('Sent with every request, for gateways.'),
  proxy: proxyOption,
  window: z
    .int()
    .min(512)
    .optional()
    .describe('Tokens of input and output together. Default by model table.'),
  maxOutput: z
    .int()
    .min(1)
    .optional()
    .describe('The most tokens of one reply. Default by model table; at most half of the window.'),
  images: z.boolean().optional().describe('Whether the model reads images. Default by model table.'),
  prices: pricesOption,
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
} as const;

export const httpURL = z
  .url({ protocol: /^https?$/, error: 'expected an http or https address' })
  .refine((url) => isBare(url), {
    error: 'may have no query, fragment, name or password: give headers, or for Azure a client of yours',
    abort: true,
  });

function isBare(url: string): boolean {
  if (!URL.canParse(url)) return true; // Said already.
  const { search, hash, username, password } = new URL(url);
  return [search, hash, username, password].every((part) => part === '');
}

/** An instance of an official SDK, known by the part of it that is used, or a function that gives one. */
export function clientOption<Client>(part: string) {
  return z
    .custom<Client | (() => Promise<Client> | Client)>(
      (value) => isFunction(value) || (typeof value === 'object' && value !== null && part in value),
      'expected a client or a function',
    )
    .optional();
}

/** What must not be shown of a processor's options. */
export function secretsOf(options: {
  readonly apiKey?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly proxy?: string | undefined;
  /** One that was given: SDKs have their key in one of two fields. */
  readonly client?: unknown;
}): (string | undefined)[] {
  const { apiKey, headers, proxy, client } = options;
  const ofClient = ['apiKey', 'authToken'].map((key) => reportedField(client, key));
  const keys = ofClient.filter((key) => typeof key === 'string');
  return [apiKey, ...Object.values(headers), ...proxySecrets(proxy), ...keys];
}
