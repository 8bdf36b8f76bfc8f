import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Every request that came in, refused ones too. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Why the double refused it; empty when it did not. */
  readonly problems: readonly string[];
}

export interface Refusal {
  readonly status: number;
  readonly body: object;
  readonly problems: readonly string[];
}

export type Exchange = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Listening {
  /** For example `http://127.0.0.1:4010`. */
  readonly origin: string;
  /** Connections that are open now. */
  connections(): number;
  /** Answers that are under way now. */
  answering(): number;
  /** Ends the server and every socket. */
  close(): Promise<void>;
}

/** A local server. `onError` answers when an exchange throws before it has answered. */
export async function listen(
  exchange: (closing: AbortSignal) => Exchange,
  onError: (response: ServerResponse, error: unknown) => void,
  port = 0,
): Promise<Listening> {
  const closing = new AbortController();
  const handle = exchange(closing.signal);
  const answers = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    answers.add(response);
    response.once('close', () => answers.delete(response));
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy();
      else onError(response, error);
    });
  });
  const sockets = new Set<{ destroy(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => sockets.size,
    answering: () => answers.size,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Larger bodies are refused, so that a test cannot fill the memory. */
const LARGEST_BODY = 64 * 1024 * 1024;

/** The JSON of a request's body; undefined when it has none. */
export async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Error(`body over ${LARGEST_BODY} bytes`);
    chunks.push(chunk);
  }
  const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  return text === '' ? undefined : JSON.parse(text);
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
