export const ANTHROPIC_BASE_URL = 'https://api.anthropic.com';

/** What users copy along from an example. The SDK itself appends `/v1/messages`. */
const END = /\/v1(\/messages(\/count_tokens)?)?$/;

/** The address that the SDK wants, from any of its spellings: without `/v1`; any other path is kept, for gateways. */
export function normaliseBaseURL(given: string): string {
  const url = new URL(given);
  url.pathname = url.pathname
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(END, '');
  return url.toString().replace(/\/$/, '');
}
