/** PgBouncer in transaction mode, where it is installed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './server.js';

export interface Bouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** The program: `PAGEFAULT_PGBOUNCER`, or Debian's. */
export function findBouncer(): string | undefined {
  return [process.env['PAGEFAULT_PGBOUNCER'], '/usr/sbin/pgbouncer'].find(
    (path) => path !== undefined && existsSync(path),
  );
}

export interface BouncerOptions {
  readonly program: string;
  /** Where the server listens, which trusts everybody. */
  readonly port: number;
  readonly size: number;
}

export async function startBouncer({ program, port, size }: BouncerOptions): Promise<Bouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'pagefault-bouncer-'));
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(file, settings(port, own, size), { mode: 0o644 });
  const child = spawn(...asNobody(program, file));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await answers(own, child);
  return {
    url: `postgres://postgres@127.0.0.1:${own}/postgres`,
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const settings = (port: number, own: number, size: number): string => `
[databases]
* = host=127.0.0.1 port=${port} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${size}
server_round_robin = 1
`;

// It refuses to run as root; `-u` gives the rights away by itself. `auth_type = any` wants a user for the server.
function asNobody(program: string, file: string): [string, string[], { stdio: 'ignore' }] {
  const isRoot = process.getuid?.() === 0;
  return [program, ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' }];
}

async function answers(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    if (await listens(port)) return;
    await delay(20);
  }
  throw new Error(`pgbouncer ended with ${child.exitCode}`);
}

function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).then((isThere) => {
    socket.destroy();
    return isThere as boolean;
  });
}
