/**
 * Owns the program of an external policy: writes to it, reads its lines, and ends it. The main thread is blocked while it
 * waits for an answer, so all of this happens here. Answers go through a port that the main thread reads without its event
 * loop; what the program says on standard error goes through the worker's own.
 */
import { spawn } from 'node:child_process';
import { parentPort, workerData } from 'node:worker_threads';

/** More without an end of line is no answer. */
const LONGEST_LINE = 16_777_216;
/** Lines of standard error that are passed on; a program that logs each page would flood a terminal. */
const MOST_NOTES = 100;
/** Long enough to write a file, short enough that nobody waits. */
const FAREWELL_MS = 500;

const { file, args, cwd, answers, shared } = workerData;
const signal = new Int32Array(shared);
const hasGroups = process.platform !== 'win32';

const lines = [];
const lastNotes = [];
let notes = 0;
let isAwaited = false;
let gone;
let watchdog;

const child = spawn(file, args, { cwd, stdio: 'pipe', detached: hasGroups, windowsHide: true });
child.on('error', (error) => leave({ failed: error.message }));
child.on('spawn', guard);
// What it started itself must not hold its output open.
child.on('exit', killGroup);
child.on('close', (code, killedBy) => leave({ code, killedBy }));
// It closed its input or died: `close` tells.
child.stdin.on('error', () => {});
split(child.stdout, (line) => {
  lines.push(line);
  deliver();
});
split(child.stderr, note);

parentPort.on('message', ({ text, asks = false, ends = false, kills = false }) => {
  if (text !== undefined && !gone) child.stdin.write(text);
  if (kills) kill();
  if (ends) end();
  if (!asks) return;
  if (gone) post({ gone });
  else if (lines.length > 0) post({ stray: lines.shift() });
  else isAwaited = true;
});

function deliver() {
  if (!isAwaited || lines.length === 0) return;
  isAwaited = false;
  post({ line: lines.shift() });
}

function post(answer) {
  answers.postMessage(answer);
  Atomics.add(signal, 0, 1);
  Atomics.notify(signal, 0);
}

function note(line) {
  lastNotes.push(line);
  if (lastNotes.length > 5) lastNotes.shift();
  notes++;
  if (notes <= MOST_NOTES) parentPort.postMessage({ note: line });
  else if (notes === MOST_NOTES + 1)
    parentPort.postMessage({ note: `(what it says from here on is left out)` });
}

function leave(how) {
  if (gone) return;
  gone = { ...how, notes: lastNotes };
  watchdog?.kill('SIGKILL');
  if (isAwaited) post({ gone });
  isAwaited = false;
}

/** When this program is killed, the pipe to the shell ends, and the shell ends the child, also one that hangs. */
function guard() {
  if (!hasGroups) return;
  watchdog = spawn('sh', ['-c', 'read _; kill -9 -"$0" 2>/dev/null', String(child.pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watchdog.on('error', () => {}); // Without a shell the end of its input has to do.
  watchdog.stdin.on('error', () => {});
}

function kill() {
  if (!gone) killGroup();
}

function killGroup() {
  if (child.pid === undefined) return;
  try {
    if (hasGroups) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It is gone already.
  }
}

function end() {
  const close = () => parentPort.close();
  if (gone) return close();
  child.once('close', close);
  child.stdin.end();
  setTimeout(kill, FAREWELL_MS).unref();
}

function split(stream, take) {
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (text) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) take(part);
    if (rest.length > LONGEST_LINE) {
      take(rest);
      rest = '';
      kill();
    }
  });
  stream.on('end', () => rest !== '' && take(rest));
}
