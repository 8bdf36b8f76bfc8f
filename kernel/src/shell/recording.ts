/** Where recordings go: lines of JSON, in a file or anywhere else. */
import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import type { InferRequest } from '@pagefault/contracts';
import type { RecordingLine } from '../core/recording.js';

/** Where lines go. `write` must not block; `close` resolves when all are safe. */
export interface RecordingSink {
  write(line: RecordingLine): void;
  close(): Promise<void>;
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

async function finished(stream: WriteStream): Promise<void> {
  if (stream.closed || stream.destroyed) return;
  stream.end();
  await once(stream, 'close');
}
