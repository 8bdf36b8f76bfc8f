import { z } from 'zod';
import { wrongOption } from '../options.js';
import { httpURL, keyOption } from '../processor/options.js';
import { normaliseBaseURL, OPENAI_BASE_URL } from './base-url.js';

/** The options that say where a driver of OpenAI's API finds its server. */
export const OPENAI_OPTIONS = {
  apiKey: keyOption.describe(
    'Needed for OpenAI itself; most servers of your own take none. Never read from the environment here.',
  ),
  baseURL: httpURL
    .default(OPENAI_BASE_URL)
    .describe('The server: `http://host:port` becomes `…/v1`, any other path is kept as it is.'),
  organization: z.string().optional().describe('OpenAI organisation id.'),
  project: z.string().optional().describe('OpenAI project id.'),
} as const;

/** Fields that are added to each request, but none that would break what the driver itself decides. */
export function extraBodyOption(reserved: readonly string[], example: string) {
  return z
    .record(z.string(), z.json())
    .default({})
    .refine((body) => !reserved.some((key) => key in body), `may not set ${reserved.join(', ')}`)
    .describe(`Further fields of the request, for example ${example}.`);
}

/** The server's address, spelt as the SDK wants it. Errors: `E_CONFIG` when OpenAI itself would be asked without a key. */
export function serverAddress(
  driver: string,
  options: { readonly apiKey?: string | undefined; readonly client?: unknown; readonly baseURL: string },
): string {
  const baseURL = normaliseBaseURL(options.baseURL);
  if (options.apiKey === undefined && options.client === undefined && baseURL === OPENAI_BASE_URL)
    throw wrongOption(
      driver,
      'apiKey: missing',
      'set OPENAI_API_KEY or the option apiKey, or point baseURL at a server of your own',
    );
  return baseURL;
}
