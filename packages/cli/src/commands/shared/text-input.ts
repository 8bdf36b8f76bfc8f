import type { Io } from './io.js';

/** The words as one text; a single `-` stands for standard input, without its last line end. */
export async function textOf({ stdin }: Io, words: readonly string[]): Promise<string> {
  if (words.length !== 1 || words[0] !== '-') return words.join(' ');
  const pieces: Buffer[] = [];
  for await (const piece of stdin) pieces.push(Buffer.from(piece as Buffer | string));
  return Buffer.concat(pieces)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
