import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { makeFolder } from './folders.js';

/**
 * A seed is a tar of a database as `initdb` leaves it, kept in the cache folder: unpacking it is several times
 * faster than `initdb`. The file is the SHA-256 of what follows, then the gzipped tar. A seed is a convenience:
 * one that cannot be read, is damaged or cannot be written only costs time.
 */
export class SeedCache {
  readonly file: string;

  constructor(folder: string) {
    this.file = join(folder, `pglite-${versions()}.seed`);
  }

  /** Undefined when there is none, or when it is damaged (then it is removed). */
  async read(): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.file).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const packed = bytes.subarray(HASH_BYTES);
    if (hash(packed).equals(bytes.subarray(0, HASH_BYTES))) return promisify(gunzip)(packed);
    await this.drop();
    return undefined;
  }

  /** Whole or not at all, also when several write at once. */
  async write(tar: Uint8Array): Promise<void> {
    // Level 1: the tar is mostly empty pages, and a higher level takes seconds for little.
    const packed = await promisify(gzip)(tar, { level: 1 });
    const draft = `${this.file}.${randomUUID()}`;
    try {
      await makeFolder(dirname(this.file));
      const handle = await open(draft, 'wx');
      try {
        await handle.writeFile(Buffer.concat([hash(packed), packed]));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, this.file);
    } catch {
      // An unwritable cache is no failure of the store.
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  async drop(): Promise<void> {
    await rm(this.file, { force: true }).catch(() => undefined);
  }
}

const HASH_BYTES = 32;

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/** A seed fits only the versions that made it. */
function versions(): string {
  return ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'].map(versionOf).join('-');
}

function versionOf(name: string): string {
  let folder = dirname(createRequire(import.meta.url).resolve(name));
  for (;;) {
    const found = manifest(join(folder, 'package.json'));
    if (found?.name === name) return found.version;
    const parent = dirname(folder);
    if (parent === folder) return 'unknown';
    folder = parent;
  }
}

function manifest(file: string): { name: string; version: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
  } catch {
    return undefined; // not every folder on the way up has one
  }
}
