import type { Readable, Writable } from 'node:stream';
import type { Instant } from '@pagefault/contracts';

/** Everything that a command may touch of the world around it, so that tests can give another one. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  /** Results only. */
  readonly stdout: Screen;
  /** Progress, notes and errors. */
  readonly stderr: Screen;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  now(): Instant;
  /** Calls `listener` at Ctrl-C, or when the program is asked to end. Returns the way to stop listening. */
  onStop(listener: () => void): () => void;
  /** Ends at once, for whoever asks twice. */
  exit(code: number): void;
}

export type Screen = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** 0: done. 1: it failed, and says why. 2: the command line is wrong. 130: stopped by Ctrl-C, as shells have it. */
export const EXIT = { ok: 0, failure: 1, usage: 2, stopped: 130 } as const;
