import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Exchange, json, listen, type Listening, readBody, type RecordedRequest } from '../http.js';
import { gone } from '../stream-out.js';
import type { QdrantState } from './collections.js';
import type { QdrantFault } from './fault.js';
import { perform, settle } from './operations.js';
import { formatError, QdrantRefusal } from './refusal.js';
import { type Endpoint, qdrantSchemas } from './schema.js';
import type { StrictMode } from './types.js';

export interface QdrantDoubleOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** What `/` tells. Default 1.19.1. */
  readonly version?: string;
  /** When set, requests without it are refused. */
  readonly apiKey?: string;
  /** Where a reverse proxy puts the API, for example `/qdrant`. Default: nowhere. */
  readonly basePath?: string;
  /** Of collections that say nothing of it themselves. Default: off. */
  readonly strictMode?: StrictMode;
  /** Bytes of the largest body. Default 32 MiB, the service's own. */
  readonly maxBody?: number;
  /** What another double held. Default: nothing. */
  readonly state?: QdrantState;
}

export interface QdrantDouble extends Listening {
  /** With the base path: what a client is configured with. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  readonly state: QdrantState;
  /** The next answer, or the next so many, go wrong. */
  fail(fault: QdrantFault, times?: number): void;
  /** Everything goes wrong so, until it is told to stop. */
  failAlways(fault: QdrantFault | undefined): void;
  /** Does what was acknowledged only. */
  settle(): void;
}

const MAX_BODY = 32 * 1024 * 1024;

/**
 * A local server that speaks Qdrant's REST API as version 1.19 describes it: collections, payload indexes, points. Requests
 * and its own answers are held against the description.
 */
export async function startQdrantDouble(options: QdrantDoubleOptions = {}): Promise<QdrantDouble> {
  const state: QdrantState = options.state ?? new Map();
  const requests: RecordedRequest[] = [];
  const next: QdrantFault[] = [];
  let always: QdrantFault | undefined;
  const takeFault = (line: string): QdrantFault | undefined => {
    if (always && isFor(always, line)) return always;
    const place = next.findIndex((fault) => isFor(fault, line));
    return place < 0 ? undefined : next.splice(place, 1)[0];
  };
  const server = await listen(
    () => createExchange({ options, state, requests, takeFault }),
    (response, error) => sendError(response, error),
    options.port,
  );
  return {
    ...server,
    url: server.origin + (options.basePath ?? ''),
    requests,
    state,
    fail: (fault, times = 1) => void next.push(...Array.from({ length: times }, () => fault)),
    failAlways: (fault) => void (always = fault),
    settle: () => state.forEach(settle),
  };
}

function isFor({ on }: QdrantFault, line: string): boolean {
  return on === undefined || on.test(line);
}

interface Service {
  readonly options: QdrantDoubleOptions;
  readonly state: QdrantState;
  readonly requests: RecordedRequest[];
  takeFault(line: string): QdrantFault | undefined;
}

function createExchange(service: Service): Exchange {
  return async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', 'http://double');
    const method = incoming.method ?? '';
    const body = await readWithin(incoming, service.options.maxBody ?? MAX_BODY);
    const base = { method, path: url.pathname + url.search, headers: incoming.headers };
    const record = (problems: readonly string[]): void =>
      void service.requests.push({ ...base, body: body instanceof Error ? undefined : body, problems });
    const path = pathWithin(url.pathname, service.options.basePath);
    const fault = service.takeFault(`${method} ${path ?? url.pathname}`);
    if (fault && fault.isDone !== true && fault.kind !== 'half') {
      record([]);
      return sendFault(response, fault, undefined);
    }
    const endpoint = path === undefined ? undefined : qdrantSchemas().endpoint(method, path);
    if (!endpoint) {
      record(['no such endpoint']);
      response.writeHead(404).end();
      return;
    }
    try {
      const answer = answerOf(service, endpoint, incoming, url.searchParams, body);
      record([]);
      if (fault) return await sendFault(response, fault, answer);
      json(response, 200, answer);
    } catch (error) {
      record([error instanceof Error ? error.message : String(error)]);
      throw error;
    }
  };
}

function pathWithin(path: string, base = ''): string | undefined {
  if (!path.startsWith(base)) return undefined;
  return path.slice(base.length) || '/';
}

// What is too large is read to its end, or the client would see a broken connection and not the answer.
async function readWithin(incoming: IncomingMessage, most: number): Promise<unknown> {
  const size = Number(incoming.headers['content-length'] ?? 0);
  if (size <= most) return readBody(incoming);
  for await (const _ of incoming);
  return new QdrantRefusal(
    400,
    `Payload error: JSON payload (${size} bytes) is larger than allowed (limit: ${most} bytes).`,
  );
}

function answerOf(
  { options, state }: Service,
  endpoint: Endpoint,
  incoming: IncomingMessage,
  query: URLSearchParams,
  body: unknown,
): unknown {
  if (endpoint.id !== 'root') checkKey(incoming, options.apiKey);
  if (body instanceof QdrantRefusal) throw body;
  const problems = qdrantSchemas().requestProblems(endpoint, query, body);
  if (problems.length > 0) throw formatError(problems.join('; '));
  const service = { version: options.version ?? '1.19.1', strictMode: options.strictMode };
  const result = perform(state, endpoint, query, body, service);
  const answer = endpoint.id === 'root' ? result : { result, status: 'ok', time: 0.000_1 };
  const wrong = qdrantSchemas().answerProblems(endpoint, 200, answer);
  if (wrong.length > 0)
    throw new Error(`the double's own answer to ${endpoint.id} is wrong: ${wrong.join('; ')}`);
  return answer;
}

function checkKey({ headers }: IncomingMessage, apiKey: string | undefined): void {
  if (apiKey === undefined) return;
  const given = headers['api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (given === undefined)
    throw new QdrantRefusal(401, 'Must provide an API key or an Authorization bearer token');
  if (given !== apiKey) throw new QdrantRefusal(401, 'Invalid API key or JWT');
}

function sendError(response: ServerResponse, error: unknown): void {
  if (!(error instanceof QdrantRefusal)) {
    const message =
      error instanceof SyntaxError ? `Format error in JSON body: ${error.message}` : String(error);
    return json(response, error instanceof SyntaxError ? 400 : 500, envelope(message));
  }
  // Refused keys are told in plain text.
  if (error.status === 401) {
    response.writeHead(401, { 'content-type': 'text/plain; charset=utf-8' }).end(error.message);
    return;
  }
  json(response, error.status, envelope(error.message));
}

function envelope(error: string): object {
  return { status: { error }, time: 0.000_1 };
}

async function sendFault(response: ServerResponse, fault: QdrantFault, answer: unknown): Promise<void> {
  switch (fault.kind) {
    case 'status':
      return json(response, fault.status, fault.body ?? envelope(`Service internal error: ${fault.status}`), { ...fault.headers }); // prettier-ignore
    case 'body':
      return json(response, 200, fault.body);
    case 'silence':
      return gone(response);
    case 'reset':
      response.destroy();
      return;
    case 'half': {
      const text = JSON.stringify(answer);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.write(text.slice(0, text.length / 2), () => response.destroy());
    }
  }
}
