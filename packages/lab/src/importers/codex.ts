/**
 * Session logs of Codex (rollouts, JSON lines; one file a session). One's own logs are private: no text leaves them. Paths,
 * calls and session ids become salted hashes; sizes, and times since the session began, stay.
 *
 * Needs are re-reads, as of Claude Code: a call that was made before needs the result it had, and a command that shows a file
 * (`cat`, `sed -n`, `head`, `tail`, `nl`) the newest reading of that file, whatever part. What the model used because it was
 * still in sight leaves no mark. Results of commands that fail are tried again, not read again.
 *
 * Not in the log, and so in no page: the tools' descriptions, and thoughts where no usage tells of their length. The provider
 * drops thoughts at the next message of a user; here they stay.
 */
import type { TraceLine } from '../trace/format.js';
import { readSessions } from './codex-log.js';
import { eventsOf } from './codex-session.js';
import { type PrivateSession, privateTrace } from './private-log.js';
import { type ImportOptions, isRecord, type TraceSource } from './source.js';

const WRAPPED: ReadonlySet<unknown> = new Set([
  'session_meta',
  'response_item',
  'event_msg',
  'turn_context',
  'compacted',
]);

export const codex: TraceSource = {
  name: 'codex',
  reads: 'Codex session logs (rollout-*.jsonl), as files or as a folder of them',
  needs: ['re-read'],
  needsFrom: 'the same file shown again, or the same call again, needs the newest result',
  licence: 'yours',
  files: /^rollout-.*\.jsonl$/,
  matches: ({ first }) =>
    isRecord(first) &&
    (('payload' in first && WRAPPED.has(first['type'])) ||
      ('instructions' in first && 'id' in first && 'timestamp' in first)),
  read: readLog,
};

async function* readLog(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  yield* privateTrace(codex, file, options, () => sessionsIn(file, options));
}

async function sessionsIn(file: string, options: ImportOptions): Promise<PrivateSession[]> {
  const taken = await readSessions(file, options);
  const kept = taken.filter(({ isSidechain }) => !isSidechain || options.sidechains === 'sessions');
  if (kept.length < taken.length) options.onSkipped?.({ file, why: 'it is of a sidechain' });
  return kept.map(({ id, entries }) => ({ id, events: eventsOf(entries, options) }));
}
