import { existsSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Channel } from './channel.js';
import { damagedError, folderError, foreignFiles } from './errors.js';
import { errorCode } from './folders.js';
import { lockDirectory } from './lock.js';
import type { SeedCache } from './seed.js';
import { Witness } from './witness.js';

/** What `openStore` needs to know. `dataDir` is undefined for a database in memory. */
export interface StorePlace {
  readonly name: string;
  readonly dataDir: string | undefined;
  readonly fsync: boolean;
  readonly seeds: SeedCache;
}

export interface Store {
  readonly channel: Channel;
  /** Left out for a database in memory. */
  readonly witness: Witness | undefined;
  /** Settles when nothing runs in the background any more. */
  readonly settled: Promise<void>;
}

/** Locks the directory, starts the worker, opens the database; undoes all of it when something fails. */
export async function openStore(place: StorePlace): Promise<Store> {
  if (place.dataDir === undefined) return start(place, true);
  const lock = await lockDirectory(place.dataDir);
  const witness = new Witness(place.dataDir, lock.claim);
  try {
    const store = await openFiles(place, place.dataDir, witness);
    // The files are free as soon as the thread is gone, be it by close, crash or termination.
    void store.channel.ended.then(() => {
      witness.rest();
      lock.release();
    });
    return store;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/**
 * A first open takes seconds, and may be killed half-way: then files are there, but no database. A mark stands
 * beside them from before the first file until the database answered once; nothing was acknowledged meanwhile,
 * so that a marked folder can be made anew. Files without a mark are no leftovers: they are never removed.
 */
async function openFiles(place: StorePlace, dataDir: string, witness: Witness): Promise<Store> {
  const files: Files = { root: join(dataDir, 'postgres'), witness };
  const { root } = files;
  const mark = join(dataDir, 'postgres.unfinished');
  if (!existsSync(mark) && (await holdsFiles(root, dataDir))) return startKept(place, files, dataDir);
  try {
    await putMark(mark, dataDir);
    await rm(root, { recursive: true, force: true });
  } catch (cause) {
    throw folderError(dataDir, root, cause);
  }
  const store = await start(place, true, files);
  try {
    await rm(mark);
    await syncFolder(dataDir);
    return store;
  } catch (cause) {
    await store.channel.terminate();
    throw witness.loss() ?? folderError(dataDir, mark, cause);
  }
}

async function holdsFiles(root: string, dataDir: string): Promise<boolean> {
  try {
    return (await readdir(root)).length > 0;
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return false;
    throw folderError(dataDir, root, cause);
  }
}

async function startKept(place: StorePlace, files: Files, dataDir: string): Promise<Store> {
  if (!existsSync(join(files.root, VERSION_FILE))) throw foreignFiles(dataDir);
  return start(place, false, files).catch((error: unknown) => {
    throw damagedError(dataDir, error);
  });
}

async function putMark(mark: string, dataDir: string): Promise<void> {
  await (await open(mark, 'w')).close();
  await syncFolder(dataDir);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

interface Files {
  readonly root: string;
  readonly witness: Witness;
}

// PostgreSQL's own mark of a database; written once.
const VERSION_FILE = 'PG_VERSION';

async function start(place: StorePlace, fresh: boolean, files?: Files): Promise<Store> {
  const seed = fresh ? await place.seeds.read() : undefined;
  const task = {
    ...(files === undefined ? {} : { root: files.root }),
    fsync: place.fsync,
    ...(seed === undefined ? {} : { seed }),
  };
  const channel = new Channel(place.name, task, files?.witness);
  try {
    await channel.call({ op: 'open' });
    files?.witness.watch(join(files.root, VERSION_FILE));
  } catch (error) {
    await channel.terminate();
    throw error;
  }
  const settled = fresh && seed === undefined ? keepSeed(channel, place.seeds) : Promise.resolve();
  return { channel, witness: files?.witness, settled };
}

/** Dumps before anybody writes (calls are served in order), packs and stores in the background. */
async function keepSeed(channel: Channel, seeds: SeedCache): Promise<void> {
  try {
    await seeds.write((await channel.call({ op: 'dump' })) as Uint8Array);
  } catch {
    // The store is open; without a seed the next first open is merely slower.
  }
}
