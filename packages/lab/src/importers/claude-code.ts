/**
 * Session logs of Claude Code (JSON lines; one file a session, and it may hold others). One's own logs are private: no text
 * leaves them. Paths, calls and session ids become salted hashes; sizes, and times since the session began, stay.
 *
 * Needs are re-reads: `Read` of a path that was read before needs the newest reading of it, a call that was made before with
 * the same arguments the result it had. They fall on the step that makes the call. What the model used because it was still in
 * sight leaves no mark, and after a compaction it must read again what it would not have: both make needs fewer or more than
 * they would be under another policy. Results that are errors are tried again, not read again.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { TraceHeader, TraceLine } from '../trace/format.js';
import { MADE_SESSION_MS, TraceBuilder } from './builder.js';
import { type Entry, readEntries } from './claude-code-log.js';
import { Session } from './claude-code-session.js';
import { headerOf, type ImportOptions, isRecord, sha256Of, type TraceSource } from './source.js';

const TYPES: ReadonlySet<unknown> = new Set([
  'user',
  'assistant',
  'summary',
  'system',
  'file-history-snapshot',
]);

export const claudeCode: TraceSource = {
  name: 'claude-code',
  reads: 'Claude Code session logs (JSON lines), as files or as a folder of them',
  needs: ['re-read'],
  needsFrom: 'Read of the same path again, or the same call again, needs the newest result',
  licence: 'yours',
  files: /\.jsonl$/,
  matches: ({ first }) =>
    isRecord(first) &&
    TYPES.has(first['type']) &&
    ('sessionId' in first || 'leafUuid' in first || 'messageId' in first),
  read: readLog,
};

/** Hashes of one import are the same for the same name. */
export function namer({ hashed = true, salt = randomBytes(16).toString('hex') }: ImportOptions) {
  return {
    salt: hashed ? salt : '',
    name: (text: string) =>
      hashed ? createHash('sha256').update(`${salt}\0${text}`).digest('hex').slice(0, 16) : text,
  };
}

async function* readLog(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const { salt, name } = namer(options);
  yield await privateHeader(file, options, salt, name);
  const trace = new TraceBuilder('re-read');
  let isFirst = true;
  for (const entries of sessionsOf(await readEntries(file, options))) {
    if (!isFirst) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    isFirst = false;
    yield* new Session(trace, name, options).lines(entries);
  }
}

/** The name of the file is the id of a session, and its plain hash would tell who has the same file. */
async function privateHeader(
  file: string,
  options: ImportOptions,
  salt: string,
  name: (text: string) => string,
): Promise<TraceHeader> {
  return headerOf(claudeCode, file, options, {
    id: `claude-code-${name(file)}`,
    clock: 'recorded',
    schedule: 'times since each session began; sessions an hour apart',
    sha256: await sha256Of(file, salt),
  });
}

/** A file may hold several sessions, and the work that one gave to others; each is one for itself, in order of its first line. */
function sessionsOf(entries: readonly Entry[]): Iterable<readonly Entry[]> {
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = sessions.get(entry.session);
    if (known) known.push(entry);
    else sessions.set(entry.session, [entry]);
  }
  return sessions.values();
}
