import { throughProxy } from './proxy.js';
import type { Connected } from './session.js';

/** A client of the caller's, or a function that gives one. */
export type GivenClient<Client> = Client | (() => Promise<Client> | Client);

const nothingToEnd = async (): Promise<void> => undefined;

/**
 * The client that was given, which nobody ends here; else one that `own` makes, with a `fetch` that goes through the proxy
 * if there is one.
 */
export async function connectClient<Client extends object>(
  {
    client,
    proxy,
  }: { readonly client?: GivenClient<Client> | undefined; readonly proxy?: string | undefined },
  own: (through: { readonly fetch?: typeof fetch }) => Promise<Client>,
): Promise<Connected<Client>> {
  if (typeof client === 'function') return { sdk: await client(), end: nothingToEnd };
  if (client !== undefined) return { sdk: client, end: nothingToEnd };
  if (proxy === undefined) return { sdk: await own({}), end: nothingToEnd };
  const { fetch, end } = await throughProxy(proxy);
  return { sdk: await own({ fetch }), end };
}
