/** Where recordings go: lines of JSON, in files or anywhere else. */
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { join } from 'node:path';
import type { InferRequest, Pid, Tokens } from '@pagefault/contracts';
import type { MachineConfig } from '../../core/config.js';
import type { RecordingLine } from '../../core/recording.js';
import type { ProcessState } from '../../core/state.js';

/** Keeps the recordings of all processes. A recording is one attachment of one process. */
export interface RecordingStore {
  /** For people: where they are. */
  readonly place: string;
  /** A new recording, beside those that are there. */
  open(pid: Pid): RecordingSink;
  /**
   * Deletes all recordings of a process: one with a hole could not be run any more. The caller has closed its own.
   * Resolves to their names.
   */
  erase(pid: Pid): Promise<readonly string[]>;
}

/** Where lines go. `write` must not block; `close` resolves when all are safe. */
export interface RecordingSink {
  write(line: RecordingLine): void;
  close(): Promise<void>;
}

export type BeginRecording = (state: ProcessState, config: MachineConfig) => RecordingSink;

/** What one process records, if anything: one recording after the other. */
export class Tape {
  readonly #begin: BeginRecording | undefined;
  #sink: RecordingSink | undefined;

  constructor(begin: BeginRecording | undefined) {
    this.#begin = begin;
  }

  begin(state: ProcessState, config: MachineConfig): void {
    this.#sink = this.#begin?.(state, config);
  }

  write(line: RecordingLine): void {
    this.#sink?.write(line);
  }

  /** Hashed only when it is recorded: a whole window of JSON is the dearest thing in a step. */
  writeRequest(request: InferRequest, tokens: Tokens): void {
    this.#sink?.write({ type: 'request', sha256: requestHash(request), tokens });
  }

  async end(): Promise<void> {
    const sink = this.#sink;
    this.#sink = undefined;
    await sink?.close();
  }
}

/** Of the bytes that a model sees. Breakpoints are none of them, and the first recordings have none. */
export function requestHash({ breakpoints: _, ...request }: InferRequest): string {
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

/** Files `<pid>-<milliseconds>.jsonl` in a folder, which must be there. */
export function recordIntoFolder(folder: string): RecordingStore {
  let last = 0;
  return {
    place: folder,
    open: (pid) => {
      // Two within one millisecond must not write into one file.
      last = Math.max(Date.now(), last + 1);
      return recordToFile(join(folder, `${pid}-${last}.jsonl`));
    },
    erase: async (pid) => {
      const names = (await readdir(folder)).filter(
        (name) => name.startsWith(`${pid}-`) && name.endsWith('.jsonl'),
      );
      for (const name of names) await rm(join(folder, name), { force: true });
      return names.toSorted();
    },
  };
}

async function finished(stream: WriteStream): Promise<void> {
  if (stream.closed || stream.destroyed) return;
  stream.end();
  await once(stream, 'close');
}
