import type { DecoratorHandler, Dispatcher } from 'undici';
import type { QdrantApi } from './api.js';
import type { Options } from './options.js';

export interface Connection {
  readonly api: QdrantApi;
  /** What a request is sent with. `onRetryAfter` is told the header of an answer that has one. */
  init(signal: AbortSignal, onRetryAfter: (header: string) => void): RequestInit;
  /** Ends every socket that was opened here. */
  end(): Promise<void>;
}

/** The client that was given, or one of the official SDK, which is loaded only here. Sends nothing (E16). */
export async function connect(options: Options): Promise<Connection> {
  const { client } = options;
  if (client === undefined) return ownConnection(options);
  const given = typeof client === 'function' ? await client() : client;
  return { api: given.api(), init: (signal) => ({ signal }), end: async () => undefined };
}

async function ownConnection(options: Options): Promise<Connection> {
  const [{ QdrantClient }, undici] = await Promise.all([import('@qdrant/js-client-rest'), import('undici')]);
  const { origin, port, prefix } = options.address;
  const client = new QdrantClient({
    url: origin,
    port,
    prefix,
    // As a header, since the SDK prints a warning about a key of its own option.
    headers: headersOf(options),
    // It would look at the server from its constructor, and print what it finds; `open` looks itself.
    checkCompatibility: false,
    // With a limit of its own the SDK would put its signal in the place of ours.
    timeout: Number.POSITIVE_INFINITY,
  });
  // The SDK has an agent too, but no way to close it.
  const agent = options.proxy === undefined ? new undici.Agent() : new undici.ProxyAgent(options.proxy);
  return {
    api: client.api(),
    init: (signal, onRetryAfter) => ({
      signal,
      dispatcher: asDispatcher(agent.compose(hearRetryAfter(undici.DecoratorHandler, onRetryAfter))),
    }),
    end: () => agent.destroy(),
  };
}

function headersOf({ headers, apiKey }: Options): Record<string, string> {
  return apiKey === undefined ? headers : { ...headers, 'api-key': apiKey };
}

// One interface by two packages of types: Node's own, and undici's.
function asDispatcher(dispatcher: Dispatcher): NonNullable<RequestInit['dispatcher']> {
  return dispatcher as unknown as NonNullable<RequestInit['dispatcher']>;
}

/** The SDK keeps the first character of the header only; so it is read on its way. */
function hearRetryAfter(
  Handler: typeof DecoratorHandler,
  onRetryAfter: (header: string) => void,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => {
    const decorated = new Handler(handler) as Dispatcher.DispatchHandlers;
    const pass = decorated.onHeaders?.bind(decorated);
    decorated.onHeaders = (status, headers, resume, text) => {
      const name = headers.findIndex(
        (part, i) => i % 2 === 0 && part.toString().toLowerCase() === 'retry-after',
      );
      const value = name < 0 ? undefined : headers[name + 1];
      if (value !== undefined) onRetryAfter(value.toString());
      return pass?.(status, headers, resume, text) ?? true;
    };
    return dispatch(request, decorated);
  };
}
