import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { PagefaultError } from '@pagefault/contracts';
import type { TraceLine } from '@pagefault/lab';
import { unlessMissing } from '../shared/missing.js';

/**
 * Where a trace is written. It takes its place when it is whole, so that place must be a file, or free: what is no file, a
 * device or a pipe, would be replaced by one; and so would one of the logs that it is made `from`. Errors: `E_CONFIG`.
 */
export async function traceFileAt(cwd: string, out: string, from: readonly string[] = []): Promise<string> {
  const path = resolve(cwd, out);
  // A link stays one.
  const file = await realpath(path).catch(() => path);
  const there = await statOf(file).catch((cause: unknown) => {
    throw unwritable(out, cause);
  });
  if (out === '-' || there?.isFile() === false)
    throw refused(out, 'is no file', 'a trace appears when it is whole, in a file of its own: name one');
  // A log that is not there is told of when it is read.
  const logs = await Promise.all(from.map((log) => realpath(log).catch(() => log)));
  if (logs.includes(file))
    throw refused(out, 'is one of the files to import', 'it would be replaced by the trace: name another');
  try {
    // A slash behind it, for a file is no folder.
    await access(`${dirname(file)}/`, constants.W_OK);
  } catch (cause) {
    throw unwritable(out, cause);
  }
  return file;
}

/** `undefined` where the place is free. */
const statOf = (file: string) => stat(file).catch(unlessMissing);

function unwritable(out: string, cause: unknown): PagefaultError {
  return refused(out, 'cannot be written', 'see that its folder is there, and may be written', cause);
}

function refused(out: string, why: string, hint: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', `--out ${out} ${why}`, {
    hint,
    ...(cause !== undefined && { cause }),
  });
}

/**
 * A trace that fails midway leaves nothing, and what was there before stays. `file`: as `traceFileAt` says it. Errors: those
 * of the lines; `E_CONFIG` when they cannot be written.
 */
export async function writeWhole(
  file: string,
  lines: AsyncIterable<TraceLine>,
  take: (line: TraceLine) => void,
): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  const stream = createWriteStream(draft);
  const done = finished(stream).catch((cause: unknown) => {
    throw refused(
      file,
      'cannot be written',
      'see that there is room, and that the folder may be written',
      cause,
    );
  });
  done.catch(() => {}); // It is awaited below, or raced against; nobody listens in between.
  try {
    for await (const line of lines) {
      take(line);
      if (!stream.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(stream, 'drain'), done]);
    }
    stream.end();
    await done;
    await rename(draft, file);
  } catch (error) {
    stream.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}
