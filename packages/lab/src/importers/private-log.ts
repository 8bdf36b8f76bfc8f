/** What importers of one's own logs share: no text and no name leaves them, and each session is one for itself. */
import { createHash, randomBytes } from 'node:crypto';
import type { TraceHeader, TraceLine } from '../trace/format.js';
import { type AgentEvent, AgentSession } from './agent-session.js';
import { MADE_SESSION_MS, TraceBuilder } from './builder.js';
import { headerOf, type ImportOptions, sha256Of, type TraceSource } from './source.js';

export interface PrivateSession {
  /** Its id, as the log has it. */
  readonly id: string;
  readonly events: Iterable<AgentEvent>;
}

/** `sessions` is asked for after the header: a reader of headers alone reads no log. */
export async function* privateTrace(
  source: TraceSource,
  file: string,
  options: ImportOptions,
  sessions: () => Promise<Iterable<PrivateSession>>,
): AsyncGenerator<TraceLine> {
  const { salt, name } = namer(options);
  yield await privateHeader(source, file, options, salt, name);
  const trace = new TraceBuilder('re-read');
  let isFirst = true;
  for (const { id, events } of await sessions()) {
    if (!isFirst) {
      yield trace.boundary('session_end');
      trace.pass(MADE_SESSION_MS);
    }
    isFirst = false;
    yield* new AgentSession(trace, name, id).lines(events);
  }
}

/** Hashes of one import are the same for the same name. */
function namer({ hashed = true, salt = randomBytes(16).toString('hex') }: ImportOptions) {
  return {
    salt: hashed ? salt : '',
    name: (text: string) =>
      hashed ? createHash('sha256').update(`${salt}\0${text}`).digest('hex').slice(0, 16) : text,
  };
}

/** The name of the file is the id of a session, and its plain hash would tell who has the same file. */
async function privateHeader(
  source: TraceSource,
  file: string,
  options: ImportOptions,
  salt: string,
  name: (text: string) => string,
): Promise<TraceHeader> {
  return headerOf(source, file, options, {
    id: `${source.name}-${name(file)}`,
    clock: 'recorded',
    schedule: 'times since each session began; sessions an hour apart',
    sha256: await sha256Of(file, salt),
  });
}
