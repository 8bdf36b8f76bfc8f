// The worker thread that PGlite runs in. Plain JavaScript, because a worker is loaded by Node itself: the same
// file serves the sources and the build. The messages are described in ../src/protocol.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { LastWords, openDatabase } from './database.mjs';
import { DurableFiles } from './files.mjs';
import { unpack } from './unpack.mjs';
import { Upkeep } from './upkeep.mjs';

const port = parentPort;
const queue = [];
const words = new LastWords();
let files;
let db;
let upkeep;
let done = [];
let busy = false;

port.on('message', (calls) => {
  queue.push(...calls);
  if (!busy) void drain();
});

async function drain() {
  busy = true;
  while (queue.length > 0) {
    const calls = queue.splice(0);
    for (const call of calls) done.push(await answer(call));
    port.postMessage({ answers: done });
    done = [];
    if (queue.length === 0) await upkeep?.run();
  }
  busy = false;
}

async function answer({ id, op, ...call }) {
  if (files !== undefined) files.refusal = undefined;
  try {
    return { id, value: await OPERATIONS[op](call) };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

const OPERATIONS = {
  open: async () => {
    const { root, fsync, seed } = workerData;
    files = root === undefined ? undefined : new DurableFiles(root, fsync);
    if (files !== undefined && seed !== undefined) fill(seed, root);
    db = await openDatabase({ fsync, seed: files === undefined ? seed : undefined }, files, words, die);
    upkeep = new Upkeep(db, files);
  },
  dump: async () => {
    await db.query('checkpoint');
    const blob = await db.dumpDataDir('none');
    return new Uint8Array(await blob.arrayBuffer());
  },
  query: ({ text, values }) => query(text, values),
  // The file is what PGlite makes of the blob.
  copy: async ({ table, rows }) => {
    await db.query(`copy ${table} from '/dev/blob' with (format binary)`, [], { blob: new Blob([rows]) });
    upkeep.noticed();
  },
  // Between the statements nothing else can run: the caller needs one message for all of them.
  sequence: async ({ statements }) => {
    let last;
    for (const [text, values] of statements) last = await query(text, values);
    return last;
  },
  inspect: () => ({
    syncs: files?.syncs ?? 0,
    walSegments: files?.walSegments ?? 0,
    upkeepProblem: upkeep.problem === undefined ? undefined : String(upkeep.problem),
  }),
  close: async () => {
    await db?.close();
    port.close();
  },
};

function fill(seed, root) {
  try {
    unpack(seed, root);
  } catch (cause) {
    files.refusal = cause.code;
    throw new Error(cause.message, { cause });
  }
}

async function query(text, values) {
  const result = await db.query(text, values, { rowMode: 'array', parsers: PARSERS });
  upkeep.noticed();
  return {
    fields: result.fields.map((field) => field.name),
    rows: result.rows,
    affected: result.affectedRows ?? 0,
    command: result.command,
  };
}

const INT8 = 20;
const PARSERS = { [INT8]: Number };

function die() {
  // What was committed before it is said too, so that nobody believes it lost.
  port.postMessage({ answers: done, fatal: { said: words.text || 'it aborted', refusal: files?.refusal } });
  process.exit(1);
}

function describe(error) {
  // The file system of WebAssembly throws objects that hold a number and no message.
  const errno = error?.name === 'ErrnoError' ? error.errno : undefined;
  const said = errno === undefined ? String(error) : `file system error ${files?.refusal ?? errno}`;
  const { message = said, code, detail, constraint } = error ?? {};
  return {
    // Without an SQLSTATE nothing else says why: the server gave up, for example while it started.
    message: code === undefined && words.text !== '' ? `${message}: ${words.text}` : message,
    code,
    detail,
    constraint,
    errno,
    refusal: files?.refusal,
  };
}
