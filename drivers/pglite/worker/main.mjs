// The worker thread that PGlite runs in. Plain JavaScript, because a worker is loaded by Node itself: the same
// file serves the sources and the build. The messages are described in ../src/protocol.ts.
import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './database.mjs';
import { Upkeep } from './upkeep.mjs';

const port = parentPort;
const queue = [];
let opened;
let upkeep;
let busy = false;

port.on('message', (calls) => {
  queue.push(...calls);
  if (!busy) void drain();
});

async function drain() {
  busy = true;
  while (queue.length > 0) {
    const calls = queue.splice(0);
    const answers = [];
    for (const call of calls) answers.push(await answer(call));
    port.postMessage({ answers });
    if (queue.length === 0) await upkeep?.run();
  }
  busy = false;
}

async function answer({ id, op, ...call }) {
  try {
    return { id, value: await OPERATIONS[op](call) };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

const OPERATIONS = {
  open: async () => {
    opened = await openDatabase(workerData, die);
    upkeep = new Upkeep(opened);
  },
  dump: async () => {
    await opened.db.query('checkpoint');
    const blob = await opened.db.dumpDataDir('none');
    return new Uint8Array(await blob.arrayBuffer());
  },
  query: ({ text, values }) => query(text, values),
  // Between the statements nothing else can run: the caller needs one message for all of them.
  sequence: async ({ statements }) => {
    let last;
    for (const [text, values] of statements) last = await query(text, values);
    return last;
  },
  inspect: () => ({ syncs: opened.files?.syncs ?? 0, walSegments: opened.files?.walSegments ?? 0 }),
  close: async () => {
    await opened?.db.close();
    port.close();
  },
};

async function query(text, values) {
  const result = await opened.db.query(text, values, { rowMode: 'array', parsers: PARSERS });
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

function die(said) {
  port.postMessage({ fatal: { said, refusal: opened?.files?.refusal } });
  process.exit(1);
}

function describe(error) {
  const { message, code, detail, constraint } = error ?? {};
  const errno = error?.name === 'ErrnoError' ? error.errno : undefined;
  return {
    message: message ?? String(error),
    code,
    detail,
    constraint,
    errno,
    refusal: opened?.files?.refusal,
  };
}
