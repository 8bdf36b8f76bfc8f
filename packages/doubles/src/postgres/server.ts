/** A PostgreSQL server of a test's own, which it may stop as it likes. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface PostgresServer {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** `immediate` is what a crash looks like: nothing is written any more, and the next start recovers. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops it and deletes all of it. */
  remove(): Promise<void>;
}

const DEBIAN = '/usr/lib/postgresql';

/** The folder of `initdb` and `pg_ctl`: `PAGEFAULT_PG_BIN`, or the newest one of Debian's. */
export function findPostgres(): string | undefined {
  const given = process.env['PAGEFAULT_PG_BIN'];
  if (given !== undefined) return given;
  if (!existsSync(DEBIAN)) return undefined;
  const versions = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((version) => join(DEBIAN, version, 'bin'))
    .find((bin) => existsSync(join(bin, 'initdb')));
}

/** Data in a new temporary folder, on loopback only; everybody is trusted. */
export async function startPostgres(bin: string, settings: readonly string[] = []): Promise<PostgresServer> {
  const folder = await ownFolder();
  const data = join(folder, 'data');
  const port = await freePort();
  const options = [`-p ${port}`, '-c listen_addresses=127.0.0.1', `-k ${folder}`, ...settings].join(' ');
  const control = (...args: readonly string[]): Promise<void> =>
    asPostgres([join(bin, 'pg_ctl'), '-D', data, '-s', '-w', ...args]);
  const start = (): Promise<void> => control('-l', join(folder, 'log'), '-o', options, 'start');
  const stop = (mode: string): Promise<void> => control('-m', mode, 'stop');
  await asPostgres([join(bin, 'initdb'), '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync']);
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    port,
    start,
    stop,
    async remove() {
      await stop('immediate').catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isRoot = process.getuid?.() === 0;

async function ownFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pagefault-pg-'));
  if (isRoot) await run(['chown', 'postgres', folder]);
  return folder;
}

/** PostgreSQL refuses to run as root. */
export function asPostgres(command: readonly string[]): Promise<void> {
  return run(isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command);
}

function run([program = '', ...args]: readonly string[]): Promise<void> {
  // A server inherits the streams: a pipe would never end.
  const child = spawn(program, args, { stdio: 'ignore', cwd: tmpdir() });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${program} ${args.join(' ')} ended with ${signal ?? code}`));
    });
  });
}

/** A port that the system gives; somebody else may take it before it is used, but hardly does. */
export function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
