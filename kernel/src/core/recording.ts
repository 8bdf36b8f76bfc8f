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

/** Errors: `E_RECORDING`, naming the line. */
export function parseRecordingLine(text: string, number: number): RecordingLine {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch (cause) {
    throw brokenRecording(number, 'it is not JSON', cause);
  }
  const type = typeof line === 'object' && line !== null && 'type' in line ? line.type : undefined;
  if (type === 'header' || type === 'event' || type === 'observation' || type === 'request')
    return line as RecordingLine;
  throw brokenRecording(
    number,
    `its type is ${JSON.stringify(type)}, not header, event, observation or request`,
  );
}

export function brokenRecording(number: number, why: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_RECORDING', `line ${number} of the recording cannot be used: ${why}`, {
    hint: 'recordings are made with the option `record`',
    ...(cause !== undefined && { cause }),
  });
}
