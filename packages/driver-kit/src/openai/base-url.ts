export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/** What users copy along from an example: the address of one function instead of the API's. */
const ENDPOINT = /\/(chat\/completions|completions|responses|embeddings|models)$/;

/**
 * The API's address from any of its spellings: a host with or without slash gets `/v1`, an address of one of its functions
 * loses that end, and any other path is kept but for a trailing slash, since gateways put the API where they like.
 */
export function normaliseBaseURL(given: string): string {
  const url = new URL(given);
  const path = url.pathname
    .replaceAll(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(ENDPOINT, '');
  url.pathname = path === '' ? '/v1' : path;
  return url.toString();
}
