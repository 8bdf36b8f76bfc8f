import { createReadStream } from 'node:fs';
import { PagefaultError } from '@pagefault/contracts';

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** Characters. A line must fit into memory several times over; the largest known transcripts have lines of 1 MB. */
const MAX_LINE = 64 * 1024 * 1024;

/**
 * The lines of a UTF-8 file that hold more than white space, read as they are asked for.
 * A line ends at LF or CR LF only: U+2028 is legal inside JSON strings. A byte order mark is dropped.
 * Errors: `E_INVALID` when the file cannot be read, is not UTF-8, or a line is longer than 64 Mi characters.
 */
export async function* readLines(file: string): AsyncGenerator<Line> {
  let number = 0;
  for await (const text of splitLines(readText(file), file)) {
    number += 1;
    if (text.trim() !== '') yield { text: text.endsWith('\r') ? text.slice(0, -1) : text, number };
  }
}

async function* splitLines(chunks: AsyncIterable<string>, file: string): AsyncGenerator<string> {
  // Pieces of the unfinished line are joined once: adding each to a string would copy long lines again and again.
  let pieces: string[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n');
    length += first.length;
    if (length > MAX_LINE) throw tooLong(file);
    pieces.push(first);
    for (const next of others) {
      yield pieces.join('');
      pieces = [next];
      length = next.length;
    }
  }
  yield pieces.join('');
}

async function* readText(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const bytes of createReadStream(file)) yield decoder.decode(bytes as Buffer, { stream: true });
    yield decoder.decode();
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, cause: unknown): PagefaultError {
  const why = cause instanceof TypeError ? 'it is not UTF-8 text' : reasonOf(cause);
  return new PagefaultError('E_INVALID', `cannot read ${file}: ${why}`, {
    hint: 'give the path of a transcript: a text file with one JSON object a line',
    cause,
  });
}

function reasonOf(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  return cause instanceof Error ? cause.message : String(cause);
}

function tooLong(file: string): PagefaultError {
  return new PagefaultError('E_INVALID', `a line of ${file} is longer than ${MAX_LINE} characters`, {
    hint: 'a transcript has one JSON object a line',
  });
}
