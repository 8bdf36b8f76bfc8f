/**
 * A look into a stack, and its timers, also while a chat holds it: the kernel that holds an embedded store answers on a
 * local socket, and `ps`, `pmap`, `vmstat` and `timer` ask there first. One line of JSON a question, one an answer.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { PagefaultError } from '@pagefault/contracts';
import {
  type Counters,
  type Kernel,
  type MemoryMap,
  type NewTimer,
  NO_COUNTERS,
  type Timer,
} from '@pagefault/kernel';

export interface Inspector {
  ps(): Promise<readonly ProcessRow[]>;
  /** Errors: `E_NOT_FOUND`. */
  pmap(nameOrPid: string): Promise<MemoryMap>;
  vmstat(): Promise<MachineStats>;
  /** The next to fall due first. Errors: `E_NOT_FOUND`. */
  timers(nameOrPid: string): Promise<readonly Timer[]>;
  /** Errors: `E_NOT_FOUND`, `E_INVALID`. */
  setTimer(nameOrPid: string, timer: NewTimer): Promise<Timer>;
  /** Errors: `E_NOT_FOUND`, also for a timer. */
  cancelTimer(nameOrPid: string, id: string): Promise<void>;
  close(): Promise<void>;
}

export interface ProcessRow {
  readonly pid: string;
  readonly name: string;
  readonly createdAt: number;
  readonly messages: number;
  readonly passages: number;
  /** Tokens of the next request, and the most that it may hold. */
  readonly pressure: number;
  readonly budget: number;
  /** True while a kernel has it attached. */
  readonly running: boolean;
}

export interface MachineStats {
  readonly processes: number;
  readonly messages: number;
  readonly passages: number;
  /** Sums over all processes. */
  readonly counters: Counters;
}

/** Answers from a kernel in this operating-system process. */
export function inspectorOf(kernel: Kernel, close: () => Promise<void>): Inspector {
  const find = async (nameOrPid: string) => {
    const process = await kernel.find(nameOrPid);
    if (!process) throw unknownProcess(nameOrPid, await kernel.list());
    return process;
  };
  return {
    ps: async () => {
      const maps = await allMaps(kernel);
      return maps.map(({ map, createdAt }) => rowOf(map, createdAt, kernel.isRunning(map.pid)));
    },
    pmap: async (nameOrPid) => kernel.inspect((await find(nameOrPid)).pid),
    vmstat: async () => statsOf((await allMaps(kernel)).map(({ map }) => map)),
    timers: async (nameOrPid) => (await find(nameOrPid)).timers.list(),
    setTimer: async (nameOrPid, timer) => (await find(nameOrPid)).timers.set(timer),
    cancelTimer: async (nameOrPid, id) => (await find(nameOrPid)).timers.cancel(id),
    close,
  };
}

/** Of a store that was never made: looking at it must not make it. */
export const nothingToInspect: Inspector = {
  ps: async () => [],
  pmap: async (name) => {
    throw unknownProcess(name, []);
  },
  vmstat: async () => statsOf([]),
  timers: async (name) => {
    throw unknownProcess(name, []);
  },
  setTimer: async (name) => {
    throw unknownProcess(name, []);
  },
  cancelTimer: async (name) => {
    throw unknownProcess(name, []);
  },
  close: async () => undefined,
};

async function allMaps(kernel: Kernel): Promise<{ map: MemoryMap; createdAt: number }[]> {
  const maps = [];
  for (const { pid, createdAt } of await kernel.list())
    maps.push({ map: await kernel.inspect(pid), createdAt });
  return maps;
}

function rowOf(map: MemoryMap, createdAt: number, running: boolean): ProcessRow {
  const { pid, name, messages, passages, pressure, budget } = map;
  return { pid, name, createdAt, messages, passages, pressure, budget: budget.tokens, running };
}

function statsOf(maps: readonly MemoryMap[]): MachineStats {
  const sum = (of: (map: MemoryMap) => number) => maps.reduce((total, map) => total + of(map), 0);
  const names = Object.keys(NO_COUNTERS) as (keyof Counters)[];
  const counters = Object.fromEntries(names.map((name) => [name, sum((map) => map.counters[name])]));
  return {
    processes: maps.length,
    messages: sum(({ messages }) => messages),
    passages: sum(({ passages }) => passages),
    counters: counters as unknown as Counters,
  };
}

function unknownProcess(name: string, known: readonly { readonly name: string }[]): PagefaultError {
  const names = known.slice(0, 20).map((record) => record.name);
  return new PagefaultError('E_NOT_FOUND', `there is no process "${name}"`, {
    hint:
      names.length > 0
        ? `processes: ${names.join(', ')}`
        : 'no process was made yet; start one with `pagefault chat`',
  });
}

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

const METHODS: readonly Method[] = ['ps', 'pmap', 'vmstat', 'timers', 'setTimer', 'cancelTimer'];

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
  const ask = async (question: Question): Promise<never> => {
    socket.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new PagefaultError('E_NOT_OPEN', 'the running kernel went away', { retryable: true });
    const reply = JSON.parse(value) as Reply;
    if ('ok' in reply) return reply.ok as never;
    const { code, message, hint } = reply.error;
    throw new PagefaultError(code as never, message, hint === undefined ? {} : { hint });
  };
  return {
    ps: () => ask({ method: 'ps' }),
    pmap: (name) => ask({ method: 'pmap', arguments: [name] }),
    vmstat: () => ask({ method: 'vmstat' }),
    timers: (name) => ask({ method: 'timers', arguments: [name] }),
    setTimer: (name, timer) => ask({ method: 'setTimer', arguments: [name, timer] }),
    cancelTimer: (name, id) => ask({ method: 'cancelTimer', arguments: [name, id] }),
    close: async () => void socket.destroy(),
  };
}
