import { clientOption, parseOptions, PROCESSOR_OPTIONS } from '@pagefault/driver-kit';
import { z } from 'zod';
import { type Address, readAddress } from './address.js';
import type { QdrantApiClient } from './api.js';

export const qdrantArchivalOptions = z.strictObject({
  url: z
    .string()
    .min(1)
    .default('http://127.0.0.1:6333')
    .describe('`http(s)://host[:port][/prefix]` or `qdrant://…`; https without a port is 443, http is 6333.'),
  apiKey: z.string().min(1).optional().describe('The server’s key. Never read from the environment here.'),
  dimension: z
    .int()
    .min(1)
    // The limit of Qdrant's vectors.
    .max(65_536)
    .describe('The length of every vector: the embedder’s dimension.'),
  collection: z
    .string()
    .regex(/^[\w.-]{1,200}$/, 'must be 1 to 200 letters, digits, dots, hyphens or underscores')
    .default('pagefault')
    .describe('The collection that holds the vectors; made when it is not there.'),
  exact: z
    .boolean()
    .default(true)
    .describe('Whether a query compares with every vector of its scope, and so never misses.'),
  batchPoints: z
    .int()
    .min(1)
    .max(10_000)
    .default(1_000)
    .describe('The most points of one request: few round trips, and each a matter of a second at most.'),
  batchBytes: z
    .int()
    .min(1_024)
    .default(16 * 1024 * 1024)
    .describe(
      'The most bytes of one request. Qdrant takes 32 MiB; half leaves room for proxies and spare servers.',
    ),
  client: clientOption<QdrantApiClient>('api').describe(
    'An instance of the official SDK, or a function that gives one. Then url, apiKey, headers and proxy are not used.',
  ),
  headers: PROCESSOR_OPTIONS.headers,
  proxy: z
    .url({ protocol: /^https?$/, error: 'expected an http or https address' })
    .optional()
    .describe('An HTTP proxy for every request. Node’s fetch ignores HTTPS_PROXY.'),
  attempts: z.int().min(1).max(10).default(3).describe('Tries of one request in all.'),
  idleTimeout: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(15_000)
    .describe('Milliseconds that one try may take; a full batch is written in a second or two.'),
  deadline: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(60_000)
    .describe('Milliseconds for one request with all its tries.'),
  queryDeadline: z
    .int()
    .min(1)
    .max(86_400_000)
    .default(5_000)
    .describe(
      'The same for a query: somebody waits, and words are searched without it. At most the deadline.',
    ),
  timing: PROCESSOR_OPTIONS.timing,
});

export type QdrantArchivalOptions = z.input<typeof qdrantArchivalOptions>;

export type Options = z.output<typeof qdrantArchivalOptions> & { readonly address: Address };

/** Errors: `E_CONFIG`. */
export function readOptions(input: QdrantArchivalOptions): Options {
  const options = parseOptions('archival.qdrant', qdrantArchivalOptions, input);
  return { ...options, address: readAddress(options.url) };
}

/** Where the server is, for messages; unknown of a client that was given. */
export function placeOf({ address, client }: Options): string | undefined {
  return client === undefined ? `${address.origin}:${address.port}${address.prefix}` : undefined;
}
