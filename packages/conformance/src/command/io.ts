/** What the command needs of its surroundings. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** `unable`: nothing was tested, because of the command line or of the initializer. */
export const EXIT = { passed: 0, failed: 1, unable: 2 } as const;
