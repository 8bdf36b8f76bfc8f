export const OPENAI_BASE_URL = 'https://api.openai.com/v1';

/**
 * Makes of a host with or without slash the API's address by appending `/v1`. An address with any path
 * keeps it, but for a trailing slash: gateways put the API where they like.
 */
export function normaliseBaseURL(given: string): string {
  const url = new URL(given);
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path === '' ? '/v1' : path;
  return url.toString();
}
