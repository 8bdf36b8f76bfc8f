/**
 * Recordings: a header with everything the machine started from, then every event, and after each the hash of what was
 * sent and what was noticed. Lines of JSON. Running the events again must give the same requests, byte for byte.
 */
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { InferRequest, Tokens } from '@pagefault/contracts';
import type { MachineConfig } from '../core/config.js';
import type { Event } from '../core/events.js';
import type { Observation } from '../core/observation.js';
import type { ProcessState } from '../core/state.js';

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

/** Where lines go. `write` must not block; `close` resolves when all are safe. */
export interface RecordingSink {
  write(line: RecordingLine): void;
  close(): Promise<void>;
}

export function requestHash(request: InferRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** A file of lines; it is made anew. Errors surface at `close`. */
export function recordToFile(path: string): RecordingSink {
  const stream = createWriteStream(path, { flags: 'w' });
  let failure: unknown;
  stream.on('error', (error) => (failure ??= error));
  return {
    write: (line) => void stream.write(`${JSON.stringify(line)}\n`),
    close: async () => {
      await finished(stream);
      if (failure) throw failure;
    },
  };
}

async function finished(stream: WriteStream): Promise<void> {
  if (stream.closed || stream.destroyed) return;
  stream.end();
  await once(stream, 'close');
}
