import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { PagefaultError } from '@pagefault/contracts';

/**
 * The lines of a stream of UTF-8. They end at LF or CR LF; the last may lack it. Not `readline`: that also cuts at
 * U+2028, which is part of a text.
 */
export async function* splitLines(input: Readable): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true });
    const [first = '', ...others] = text.split('\n');
    pieces.push(first);
    for (const next of others) {
      yield withoutReturn(pieces.join(''));
      pieces = [next];
    }
  }
  const rest = pieces.join('') + decoder.decode();
  if (rest !== '') yield withoutReturn(rest);
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Errors: `E_INVALID` when the file cannot be read. */
export async function* linesOfFile(file: string): AsyncGenerator<string, void> {
  try {
    yield* splitLines(createReadStream(file));
  } catch (cause) {
    if (PagefaultError.is(cause)) throw cause;
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : message;
    throw new PagefaultError('E_INVALID', `cannot read ${file}: ${why}`, { cause });
  }
}
