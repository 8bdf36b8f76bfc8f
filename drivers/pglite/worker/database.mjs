// Opens one PGlite: on files, or in memory, there from a seed when there is one.
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';

// `fdatasync` is a stub in this build that always succeeds, so the log must be synced by `fsync`.
const SYNC_PARAMS = ['-c', 'wal_sync_method=fsync'];

/**
 * @param {{ fsync: boolean, seed: Uint8Array | undefined }} task a seed only for a database in memory
 * @param files a DurableFiles, or undefined for a database in memory
 * @param {LastWords} words
 * @param {() => void} onFatal told of anything after which the database cannot go on
 */
export async function openDatabase(task, files, words, onFatal) {
  const db = await PGlite.create({
    extensions: { vector },
    startParams: startParams(files !== undefined && task.fsync),
    onStderr: (text) => words.hear(text),
    onStdout: () => false,
    ...(files === undefined ? {} : { fs: files }),
    ...(task.seed === undefined ? {} : { loadDataDir: new Blob([task.seed]) }),
  });
  dieOnPanic(db, onFatal);
  return db;
}

/** What the server wrote into its log when it gave up; otherwise its log is of no interest. */
export class LastWords {
  text = '';

  hear(line) {
    if (/PANIC|FATAL/.test(line)) this.text = line.replace(/^.*?(PANIC|FATAL):\s*/, '');
    return false;
  }
}

// Nothing gathers statistics before the first upkeep, and a planner that believes every table to be tiny reads
// all of it. What runs here finds its rows by index and in the index's order; plans should too.
const PLANNER_PARAMS = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'].flatMap((kind) => [
  '-c',
  `enable_${kind}=off`,
]);

function startParams(sync) {
  const base = [...PGlite.defaultStartParams, ...PLANNER_PARAMS];
  return sync ? [...base.filter((param) => param !== '-F'), ...SYNC_PARAMS] : base;
}

// PGlite's loop swallows every exception and calls again; after a PANIC it would spin for ever.
const LONG_JUMP = 100;

function dieOnPanic(db, onFatal) {
  const once = db.Module._PostgresMainLoopOnce;
  db.Module._PostgresMainLoopOnce = () => {
    try {
      return once();
    } catch (error) {
      if (error?.status !== LONG_JUMP) onFatal();
      throw error;
    }
  };
}
