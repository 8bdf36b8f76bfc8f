import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import type { TraceLine } from '@pagefault/lab';

/** A trace that fails midway leaves nothing, and what was there before stays. */
export async function writeWhole(
  out: string,
  lines: AsyncIterable<TraceLine>,
  take: (line: TraceLine) => void,
): Promise<void> {
  const draft = `${out}.${randomUUID()}`;
  const file = createWriteStream(draft);
  const done = finished(file);
  done.catch(() => {}); // It is awaited below, or raced against; nobody listens in between.
  try {
    for await (const line of lines) {
      take(line);
      if (!file.write(`${JSON.stringify(line)}\n`)) await Promise.race([once(file, 'drain'), done]);
    }
    file.end();
    await done;
    await rename(draft, out);
  } catch (error) {
    file.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}
