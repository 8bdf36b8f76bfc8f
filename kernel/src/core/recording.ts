/**
 * Recordings: a header with everything the machine started from, then every event, and after each the hash of what was
 * sent and what was noticed. Lines of JSON. Running the events again must give the same requests, byte for byte.
 */
import { PagefaultError, type Tokens } from '@pagefault/contracts';
import type { MachineConfig } from './config.js';
import type { Event } from './events.js';
import type { Observation } from './observation.js';
import type { ProcessState } from './state.js';

export const RECORDING_VERSION = 1;

export interface RecordingHeader {
  readonly type: 'header';
  readonly version: typeof RECORDING_VERSION;
  readonly config: MachineConfig;
  readonly state: ProcessState;
  readonly policy: {
    readonly id: string;
    readonly version: number;
    /** Base64. */ readonly snapshot?: string;
  };
}

export type RecordingLine =
  | RecordingHeader
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'observation'; readonly observation: Observation }
  | { readonly type: 'request'; readonly sha256: string; readonly tokens: Tokens };

/** A line of a recording, or the torn end that a killed process leaves. */
export type ReadLine = RecordingLine | { readonly type: 'torn' };

/**
 * The lines of one recording, checked: a header of this version first, and no second one.
 * Errors: `E_RECORDING`, naming the line.
 */
export async function* readRecording(
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<ReadLine> {
  let number = 0;
  let headers = 0;
  let torn: PagefaultError | undefined;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    // A line that cannot be read is the end that a kill tore, or else the file is broken.
    if (torn) throw torn;
    const line = parseLine(text, number);
    if (PagefaultError.is(line)) torn = line;
    else {
      if (line.type === 'header') headers++;
      checkHeaders(line, headers, number);
      yield line;
    }
  }
  if (headers === 0) throw torn ?? unusable('the recording is empty');
  if (torn) yield { type: 'torn' };
}

function checkHeaders(line: RecordingLine, headers: number, number: number): void {
  if (headers === 0) throw brokenRecording(number, 'there is no header before it');
  if (line.type !== 'header') return;
  if (headers > 1) throw brokenRecording(number, 'a second recording begins there; run them one by one');
  const version: number = line.version;
  if (version === RECORDING_VERSION) return;
  throw brokenRecording(number, `it is of version ${version}, this kernel reads ${RECORDING_VERSION}`);
}

const LINE_TYPES: ReadonlySet<unknown> = new Set(['header', 'event', 'observation', 'request']);

function parseLine(text: string, number: number): RecordingLine | PagefaultError {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (cause) {
    return brokenRecording(number, 'it is not JSON', cause);
  }
  const type = typeof line === 'object' && line !== null && 'type' in line ? line.type : undefined;
  if (LINE_TYPES.has(type)) return line as RecordingLine;
  throw brokenRecording(number, `its type is ${JSON.stringify(type)}, not ${[...LINE_TYPES].join(', ')}`);
}

function brokenRecording(number: number, why: string, cause?: unknown): PagefaultError {
  return unusable(`line ${number} of the recording cannot be used: ${why}`, cause);
}

function unusable(message: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_RECORDING', message, {
    hint: 'a recording is one JSON object a line, as the setting `record` or `--record` writes it',
    ...(cause !== undefined && { cause }),
  });
}
