import type { Readable } from 'node:stream';
import { splitLines } from '../shared/split-lines.js';

/** Where a chat's messages come from. */
export interface Lines {
  /** The next line; undefined at the end. */
  next(): Promise<string | undefined>;
  /** While busy, what is typed is not shown: it would mix with the answer. */
  setBusy(isBusy: boolean): void;
  /** Shows something that nobody typed for. At the prompt it comes above it, and what is typed so far stays. */
  interject(show: () => void): void;
  /** No more lines: `next` resolves to undefined, also the one that waits. */
  close(): void;
}

/** Lines of a pipe or a file, read when they are asked for. They end at LF or CR LF; the last may lack it. */
export function pipedLines(input: Readable): Lines {
  const lines = splitLines(input);
  let close = () => {};
  const closed = new Promise<undefined>((resolve) => (close = () => resolve(undefined)));
  return {
    next: () => Promise.race([closed, lines.next().then(({ value, done }) => (done ? undefined : value))]),
    setBusy: () => {},
    interject: (show) => show(),
    close: () => {
      close();
      input.destroy();
    },
  };
}
