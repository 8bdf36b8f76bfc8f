import { config } from './errors.js';

/** Where the server is, in the parts that its SDK takes apart. */
export interface Address {
  /** Scheme and host. */
  readonly origin: string;
  /** Always said: the SDK takes 6333 for every address that says none, also where 443 is meant (E14). */
  readonly port: number;
  /** The path that a reverse proxy puts before the API; empty when there is none (E15). */
  readonly prefix: string;
}

/** Qdrant's own port for REST. */
const QDRANT_PORT = 6333;

/** Reads `http(s)://host[:port][/prefix]`; `qdrant://` is `http://`. Errors: `E_CONFIG`. */
export function readAddress(given: string): Address {
  const url = parse(given.replace(/^qdrant:\/\//, 'http://'));
  const scheme = url.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https')
    throw config(`url: the scheme is ${url.protocol}//`, 'write http://, https:// or qdrant://');
  if (url.username !== '' || url.password !== '')
    throw config('url: an address holds no user or password', 'give the key by the option apiKey');
  if (url.search !== '' || url.hash !== '')
    throw config('url: an address ends with its path', 'leave out what follows ? or #');
  return {
    origin: `${scheme}://${url.hostname}`,
    port: portOf(given) ?? (scheme === 'https' ? 443 : QDRANT_PORT),
    prefix: url.pathname.replace(/\/+$/, ''),
  };
}

function parse(address: string): URL {
  try {
    return new URL(address);
  } catch (cause) {
    throw config('url: it is no address', 'write http://host:6333 or https://host', cause);
  }
}

// From the text, because a URL forgets the usual port of its scheme, and "http://host:80" means 80.
function portOf(given: string): number | undefined {
  const authority = /^[a-z]+:\/\/([^/?#]*)/i.exec(given)?.[1] ?? '';
  const port = /:(\d+)$/.exec(authority)?.[1];
  return port === undefined ? undefined : Number(port);
}
