/** Files of traces as bytes and lines, unpacked by the end of their names, a piece at a time. */
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { PagefaultError } from '@pagefault/contracts';
import { Decompress } from 'fzstd';

export interface Line {
  readonly text: string;
  /** From 1. */
  readonly number: number;
}

/** `.gz` and `.zst` are unpacked. Errors: `E_NOT_FOUND` for a file that is not there, `E_TRACE` for one that is packed badly. */
export async function* readBytes(file: string): AsyncGenerator<Uint8Array> {
  const packed = createReadStream(file);
  try {
    // A pipeline, for what goes wrong with the file goes on through it; it is thrown here, so nobody else need hear of it.
    if (file.endsWith('.gz'))
      yield* pipeline(packed, createGunzip(), () => undefined) as AsyncIterable<Uint8Array>;
    else if (file.endsWith('.zst')) yield* unpackZstd(packed);
    else yield* packed as AsyncIterable<Uint8Array>;
  } catch (cause) {
    throw failure(file, cause);
  } finally {
    packed.destroy();
  }
}

async function* unpackZstd(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let unpacked: Uint8Array[] = [];
  let isWhole = false;
  const decoder = new Decompress((chunk, isLast) => {
    unpacked.push(chunk);
    isWhole ||= isLast === true;
  });
  for await (const chunk of packed) {
    decoder.push(chunk);
    yield* unpacked;
    unpacked = [];
  }
  decoder.push(new Uint8Array(), true);
  yield* unpacked;
  if (!isWhole) throw new Error('it ends in the middle of a block');
}

function failure(file: string, cause: unknown): PagefaultError {
  if (cause instanceof PagefaultError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  if (code === 'ENOENT')
    return new PagefaultError('E_NOT_FOUND', `the trace ${file} is not there`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new PagefaultError('E_TRACE', `${basename(file)} cannot be read: ${reason}`, {
    cause,
    hint: 'see that the file is whole, and that its name ends as it is packed: .gz, .zst, or neither',
  });
}

/** Lines without their ends, empty ones included, numbered. A last line needs no end. */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  // Put together only at its end: a line of many pieces would be copied with each of them.
  let [begun, number]: [string[], number] = [[], 0];
  for await (const chunk of bytes) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      const text = begun.length > 0 ? [...begun, line].join('') : line;
      begun = [];
      yield { text: withoutReturn(text), number: ++number };
    }
    if (rest !== '') begun.push(rest);
  }
  const last = [...begun, decoder.decode()].join('');
  if (last !== '') yield { text: withoutReturn(last), number: ++number };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
