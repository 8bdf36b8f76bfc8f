/**
 * A look into a stack, and what is done to its processes, also while a chat holds it: the kernel that holds an embedded
 * store answers on a local socket, and `ps`, `timer`, `pause` and others ask there first. One line of JSON a question, one
 * an answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PagefaultError } from '@pagefault/contracts';
import type { Inspector } from './inspector.js';

/** The longest socket path that every system takes (sun_path of macOS, 104 bytes with its end). */
const LONGEST_SOCKET_PATH = 103;

/** In the data directory; in the temporary folder when that path is too long for a socket. */
export function socketPath(dataDir: string): string {
  const path = join(resolve(dataDir), 'inspect.sock');
  if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH) return path;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(tmpdir(), `pagefault-${hash}.sock`);
}

/** Serves until closed. Call it only while holding the data directory: a socket that is there is a dead one's. */
export async function serveInspection(inspector: Inspector, path: string): Promise<() => Promise<void>> {
  await rm(path, { force: true });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    answerOn(socket, inspector);
  });
  server.listen(path);
  await Promise.race([once(server, 'listening'), failed(server)]);
  server.unref();
  return async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((done) => server.close(done));
  };
}

async function failed(server: Server): Promise<never> {
  const [error] = (await once(server, 'error')) as [Error];
  throw new PagefaultError('E_DATA_DIR', `the inspection socket cannot be opened: ${error.message}`, {
    cause: error,
  });
}

function answerOn(socket: Socket, inspector: Inspector): void {
  socket.on('error', () => socket.destroy()); // The asker went away; there is nobody to tell.
  createInterface({ input: socket }).on('line', (line) => {
    void answer(inspector, line).then((reply) => socket.write(`${JSON.stringify(reply)}\n`));
  });
}

type Method = Exclude<keyof Inspector, 'close'>;

interface Question {
  readonly method: Method;
  readonly arguments?: readonly unknown[];
}

const METHODS: readonly Method[] = [
  'ps',
  'pmap',
  'vmstat',
  'timers',
  'setTimer',
  'cancelTimer',
  'spawn',
  'fork',
  'rename',
  'useProcessor',
  'control',
  'erase',
  'eraseProcess',
  'eraseSpeaker',
];

type Reply = { readonly ok: unknown } | { readonly error: { code: string; message: string; hint?: string } };

async function answer(inspector: Inspector, line: string): Promise<Reply> {
  try {
    const { method, arguments: given = [] } = JSON.parse(line) as Question;
    const known = METHODS.find((name) => name === method);
    if (!known) throw new PagefaultError('E_PROTOCOL', `there is no question "${method}"`);
    const ask = inspector[known] as (...args: readonly unknown[]) => Promise<unknown>;
    return { ok: (await ask(...given)) ?? null };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!PagefaultError.is(error)) return { error: { code: 'E_PROTOCOL', message } };
    return { error: { code: error.code, message, ...(error.hint !== undefined && { hint: error.hint }) } };
  }
}

/** Resolves to undefined when nobody answers there. */
export async function connectInspector(path: string): Promise<Inspector | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch {
    return undefined; // No server, or a dead one's socket: the caller opens the store itself.
  }
  return remote(socket);
}

function remote(socket: Socket): Inspector {
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  socket.on('error', () => socket.destroy()); // Seen below as the end of the lines.
  const ask = async (method: Method, given: readonly unknown[]): Promise<unknown> => {
    socket.write(`${JSON.stringify({ method, arguments: given })}\n`);
    const { value, done } = await lines.next();
    if (done) throw new PagefaultError('E_NOT_OPEN', 'the running kernel went away', { retryable: true });
    const reply = JSON.parse(value) as Reply;
    if ('ok' in reply) return reply.ok;
    const { code, message, hint } = reply.error;
    throw new PagefaultError(code as never, message, hint === undefined ? {} : { hint });
  };
  const questions = METHODS.map((method) => [method, (...given: readonly unknown[]) => ask(method, given)]);
  return {
    ...(Object.fromEntries(questions) as Omit<Inspector, 'close'>),
    close: async () => void socket.destroy(),
  };
}
