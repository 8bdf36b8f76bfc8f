import { z } from 'zod';

/** Read by the agent: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case. */
const FROM_ENVIRONMENT = 'environment';

export const proxyOption = z
  .union([
    z.literal(FROM_ENVIRONMENT),
    z.url({ protocol: /^https?$/, error: 'expected an http or https address' }),
  ])
  .optional()
  .describe(
    'An HTTP proxy for every request, or `environment` for HTTPS_PROXY, HTTP_PROXY and NO_PROXY, which fetch ignores.',
  );

/** The way out through a proxy, for SDKs that take a `fetch`. */
export interface WayOut {
  readonly fetch: typeof fetch;
  /** Ends every socket that was opened through it. */
  end(): Promise<void>;
}

/**
 * `fetch` and agent come from one package: Node's own fetch refuses the agents of another version. It is loaded only here.
 */
export async function throughProxy(proxy: string): Promise<WayOut> {
  const undici = await import('undici');
  const dispatcher =
    proxy === FROM_ENVIRONMENT ? new undici.EnvHttpProxyAgent() : new undici.ProxyAgent(proxy);
  const send = (input: string | URL, init: object = {}) => undici.fetch(input, { ...init, dispatcher });
  return {
    // One interface by two packages of types: Node's own, and undici's.
    fetch: send as unknown as typeof fetch,
    end: () => dispatcher.destroy(),
  };
}

/** What of a proxy's address must not be shown: name and password, as they are written and as they are meant. */
export function proxySecrets(proxy: string | undefined): string[] {
  if (proxy === undefined || !URL.canParse(proxy)) return [];
  const { username, password } = new URL(proxy);
  return [username, password].flatMap((part) => (part === '' ? [] : [part, decodeURIComponent(part)]));
}
