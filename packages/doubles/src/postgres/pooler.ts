/**
 * A pooler in transaction mode that lies in wait for whoever trusts a connection to be one: every transaction goes to
 * another server process than the one before, and start-up settings are refused as PgBouncer refuses them. Server
 * processes are not reset between two clients: what one leaves behind the next one meets.
 */
import { connect, createServer, type Socket } from 'node:net';
import { asksForTls, message, Messages, parametersOf, refusal, startup, statusOf, typeOf } from './wire.js';

export interface PoolerDouble {
  readonly url: string;
  /** How many server processes were given to each transaction, in order: places in the list of them. */
  readonly given: readonly number[];
  close(): Promise<void>;
}

export interface PoolerOptions {
  /** Where the server listens, which trusts everybody. */
  readonly port: number;
  /** Server processes. */
  readonly size: number;
}

const ALLOWED = new Set(['user', 'database', 'application_name', 'client_encoding', 'DateStyle', 'TimeZone']);

export async function startPoolerDouble({ port, size }: PoolerOptions): Promise<PoolerDouble> {
  const servers = await Promise.all(Array.from({ length: size }, () => ServerSide.connect(port)));
  const pool = new Rotation(servers);
  const clients = new Map<Socket, ClientSide>();
  const listener = createServer((socket) => {
    socket.on('error', () => undefined).once('close', () => clients.delete(socket));
    clients.set(socket, new ClientSide(socket, pool));
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `postgres://postgres@127.0.0.1:${own}/postgres`,
    given: pool.given,
    async close() {
      for (const socket of [...clients.keys(), ...servers.map((server) => server.socket)]) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** Gives the server process that was used longest ago: never the same one twice in a row, while there are two free. */
class Rotation {
  readonly given: number[] = [];
  readonly #free: ServerSide[];
  readonly #all: readonly ServerSide[];
  readonly #waiting: ((server: ServerSide) => void)[] = [];

  constructor(servers: readonly ServerSide[]) {
    this.#all = servers;
    this.#free = [...servers];
  }

  take(use: (server: ServerSide) => void): void {
    const server = this.#free.shift();
    if (server === undefined) this.#waiting.push(use);
    else this.#give(server, use);
  }

  giveBack(server: ServerSide): void {
    const use = this.#waiting.shift();
    if (use === undefined) this.#free.push(server);
    else this.#give(server, use);
  }

  #give(server: ServerSide, use: (server: ServerSide) => void): void {
    this.given.push(this.#all.indexOf(server));
    use(server);
  }
}

class ServerSide {
  readonly socket: Socket;
  onMessage: (one: Buffer) => void = () => undefined;
  readonly #messages = new Messages('server');

  private constructor(socket: Socket) {
    this.socket = socket;
    socket
      .on('error', () => undefined)
      .on('data', (chunk) => {
        this.#messages.add(chunk);
        for (let one = this.#messages.next(); one; one = this.#messages.next()) this.onMessage(one);
      });
  }

  static connect(port: number): Promise<ServerSide> {
    const socket = connect(port, '127.0.0.1');
    const server = new ServerSide(socket);
    return new Promise((resolve, reject) => {
      socket.once('error', reject).once('connect', () => {
        socket.write(startup({ user: 'postgres', database: 'postgres' }));
      });
      server.onMessage = (one) => {
        if (typeOf(one) === 'E') reject(new Error(one.toString('utf8', 5)));
        if (typeOf(one) === 'Z') resolve(server);
      };
    });
  }
}

const AUTHENTICATED = Buffer.from([0, 0, 0, 0]);
const OUTSIDE = Buffer.from('I');

class ClientSide {
  readonly #socket: Socket;
  readonly #pool: Rotation;
  readonly #messages = new Messages('client');
  #hasBegun = false;
  #held: Buffer[] = [];
  #server: ServerSide | undefined;
  #isWaiting = false;

  constructor(socket: Socket, pool: Rotation) {
    this.#socket = socket;
    this.#pool = pool;
    socket.on('data', (chunk) => {
      this.#messages.add(chunk);
      for (let one = this.#messages.next(); one; one = this.#messages.next()) this.#hear(one);
    });
    socket.once('close', () => this.#leave());
  }

  #hear(one: Buffer): void {
    if (!this.#hasBegun) return this.#greet(one);
    if (typeOf(one) === 'X') return void this.#socket.end();
    this.#held.push(one);
    if (this.#server !== undefined) return this.#flush(this.#server);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#pool.take((server) => this.#use(server));
  }

  #greet(one: Buffer): void {
    if (asksForTls(one)) return void this.#socket.write('N');
    const odd = Object.keys(parametersOf(one)).find((name) => !ALLOWED.has(name));
    if (odd !== undefined) {
      return void this.#socket.end(refusal('08P01', `unsupported startup parameter: ${odd}`));
    }
    this.#hasBegun = true;
    this.#messages.began();
    this.#socket.write(Buffer.concat([message('R', AUTHENTICATED), message('Z', OUTSIDE)]));
  }

  #use(server: ServerSide): void {
    this.#isWaiting = false;
    this.#server = server;
    server.onMessage = (one) => {
      if (!this.#socket.destroyed) this.#socket.write(one);
      if (typeOf(one) !== 'Z' || statusOf(one) !== 'I') return;
      this.#server = undefined;
      this.#pool.giveBack(server);
    };
    this.#flush(server);
  }

  #flush(server: ServerSide): void {
    for (const one of this.#held.splice(0)) server.socket.write(one);
  }

  /** What a client leaves open is undone, as a pooler does it. */
  #leave(): void {
    const server = this.#server;
    if (server !== undefined) server.socket.write(message('Q', Buffer.from('rollback\0')));
  }
}
