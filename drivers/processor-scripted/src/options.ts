import type { Tokens } from '@pagefault/contracts';
import { pricesOption } from '@pagefault/driver-kit';
import { z } from 'zod';
import type { Replies } from './script/types.js';

/** Mints the id of the `slot`-th call of a reply to a request. Ids must be unique within a process. */
export type MintId = (slot: number, fingerprint: string) => string;

/** Waited for after each delta: hand in a timer to make a terminal look alive. Default: no wait. */
export type Pace = (delta: string, signal?: AbortSignal) => Promise<void>;

const isFunction = (value: unknown) => typeof value === 'function';

const shared = {
  window: z
    .int()
    .min(256)
    .default(8192)
    .describe('Tokens of input and output together. 8,192 is the window of the MemGPT paper.'),
  maxOutput: z
    .int()
    .min(16)
    .default(1024)
    .describe('Tokens of one reply. 1,024 holds three quoted hits of 300 characters with room to spare.'),
  prices: pricesOption,
  mintId: z
    .custom<MintId>(isFunction, 'must be a function (slot, fingerprint) => id')
    .optional()
    .describe('Mints call ids.'),
  pace: z
    .custom<Pace>(isFunction, 'must be a function that returns a promise')
    .optional()
    .describe('Waited for after each delta; by default nothing is waited for.'),
};

const smallerThanWindow = {
  message: 'must be smaller than window: a reply needs a request before it',
  path: ['maxOutput'],
};

const replies = z.custom<Replies>(
  (value) => Array.isArray(value) || isFunction(value),
  'must be a list of replies or a function (request, n) => reply',
);

export const scriptedSchema = z
  .strictObject({
    ...shared,
    replies: replies.describe('The script: a list of replies, or a function of the request and its number.'),
    name: z.string().min(1).default('scripted').describe('Shown in errors and metrics.'),
    model: z.string().min(1).default('scripted').describe("The model's id in the manifest."),
    parallelCalls: z.boolean().default(true).describe('What the manifest says.'),
    images: z.boolean().default(false).describe('What the manifest says.'),
    idPrefix: z
      .string()
      .regex(/^[a-zA-Z0-9_-]{1,48}$/, 'must be 1 to 48 letters, digits, _ or -')
      .default('call_')
      .describe('Call ids are this and 1, 2, 3 … Two instances in one process need two prefixes.'),
  })
  .refine((options) => options.maxOutput < options.window, smallerThanWindow);

export const reflexSchema = z
  .strictObject(shared)
  .refine((options) => options.maxOutput < options.window, smallerThanWindow);

export interface ReflexOptions {
  /** Default 8,192. At least 256. */
  readonly window?: Tokens;
  /** Default 1,024. At least 16, less than `window`. */
  readonly maxOutput?: Tokens;
  /** What the manifest says: US dollars per million tokens. Default: none. */
  readonly prices?: z.input<typeof pricesOption>;
  /** Default: a digest of the request and the slot, so that ids stay unique over restarts. */
  readonly mintId?: MintId;
  readonly pace?: Pace;
}

export interface ScriptedOptions extends ReflexOptions {
  readonly replies: Replies;
  /** Default `scripted`. */
  readonly name?: string;
  /** Default `scripted`. */
  readonly model?: string;
  /** Default true. */
  readonly parallelCalls?: boolean;
  /** Default false. */
  readonly images?: boolean;
  /** Default `call_`; used by the default `mintId`, which counts 1, 2, 3 … over the instance's life. */
  readonly idPrefix?: string;
}
