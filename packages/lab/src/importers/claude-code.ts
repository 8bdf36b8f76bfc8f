/**
 * Session logs of Claude Code (JSON lines; one file a session, and it may hold others). One's own logs are private: no text
 * leaves them. Paths, calls and session ids become salted hashes; sizes, and times since the session began, stay.
 *
 * Needs are re-reads: `Read` of a path that was read before needs the newest reading of it, a call that was made before with
 * the same arguments the result it had. They fall on the step that makes the call. What the model used because it was still in
 * sight leaves no mark, and after a compaction it must read again what it would not have: both make needs fewer or more than
 * they would be under another policy. Results that are errors are tried again, not read again.
 */
import type { TraceLine } from '../trace/format.js';
import { type Entry, OTHERS, readEntries } from './claude-code-log.js';
import { eventsOf } from './claude-code-session.js';
import { type PrivateSession, privateTrace } from './private-log.js';
import { type ImportOptions, isRecord, type TraceSource } from './source.js';

const isOfLog = (type: unknown) => type === 'user' || type === 'assistant' || OTHERS.has(type);

export const claudeCode: TraceSource = {
  name: 'claude-code',
  reads: 'Claude Code session logs (JSON lines), as files or as a folder of them',
  needs: ['re-read'],
  needsFrom: 'Read of the same path again, or the same call again, needs the newest result',
  licence: 'yours',
  files: /\.jsonl$/,
  matches: ({ first }) =>
    isRecord(first) &&
    isOfLog(first['type']) &&
    ('sessionId' in first || 'leafUuid' in first || 'messageId' in first),
  read: readLog,
};

async function* readLog(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  yield* privateTrace(claudeCode, file, options, async () =>
    sessionsOf(await readEntries(file, options), options),
  );
}

/** A file may hold several sessions, and the work that one gave to others; each is one for itself, in order of its first line. */
function sessionsOf(entries: readonly Entry[], options: ImportOptions): PrivateSession[] {
  const sessions = new Map<string, Entry[]>();
  for (const entry of entries) {
    const known = sessions.get(entry.session);
    if (known) known.push(entry);
    else sessions.set(entry.session, [entry]);
  }
  return [...sessions].map(([id, own]) => ({ id, events: eventsOf(own, options) }));
}
