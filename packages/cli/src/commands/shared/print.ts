import { type Colours, coloursFor } from '../../terminal/index.js';
import type { Io } from './io.js';

/** Results go to standard output, everything else to standard error. */
export interface Printer {
  /** Of standard output. */
  readonly colours: Colours;
  /** A result, for people. */
  line(text: string): void;
  /** A result, for programs: one line. */
  json(value: unknown): void;
  /** What is good to know. */
  note(text: string): void;
}

export function createPrinter({ stdout, stderr, env }: Io): Printer {
  const colours = coloursFor({ isTTY: stdout.isTTY === true, env });
  const dim = coloursFor({ isTTY: stderr.isTTY === true, env }).dim;
  return {
    colours,
    line: (text) => void stdout.write(`${text}\n`),
    json: (value) => void stdout.write(`${JSON.stringify(value)}\n`),
    note: (text) => void stderr.write(`${dim(text)}\n`),
  };
}
