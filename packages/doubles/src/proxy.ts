import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface ProxyOptions {
  /** Where every tunnel really leads, whatever host it is asked for. */
  readonly to: string;
  /** `name:password`; when set, others are answered with 407. */
  readonly credentials?: string;
  /** Takes connections and never answers. */
  readonly silent?: boolean;
}

export interface ProxyDouble {
  /** Without credentials. */
  readonly url: string;
  /** Hosts that tunnels were asked for, refused ones too. */
  readonly tunnels: readonly string[];
  /** Tunnels that are open now. */
  connections(): number;
  close(): Promise<void>;
}

/** A local HTTP proxy that makes tunnels (`CONNECT`), as the agents of SDKs ask for them. */
export async function startProxy(options: ProxyOptions): Promise<ProxyDouble> {
  const tunnels: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    if (options.silent === true) return;
    if (isRefused(request, options)) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nConnection: close\r\n\r\n');
      return;
    }
    join(socket, new URL(options.to));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnels,
    connections: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function isRefused({ headers }: IncomingMessage, { credentials }: ProxyOptions): boolean {
  if (credentials === undefined) return false;
  return headers['proxy-authorization'] !== `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function join(socket: Socket, { hostname, port }: URL): void {
  const server = connect(Number(port), hostname, () => socket.write('HTTP/1.1 200 OK\r\n\r\n'));
  socket.on('close', () => server.destroy());
  server.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  server.pipe(socket).pipe(server);
}
