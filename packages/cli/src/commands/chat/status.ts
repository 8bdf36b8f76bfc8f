import type { Io } from '../shared/io.js';

/** A word about what goes on, which goes away when there is more to say. Only where both streams are terminals. */
export interface Status {
  show(text: string): void;
  clear(): void;
}

export function createStatus({ stdout, stderr }: Io): Status {
  if (!stdout.isTTY || !stderr.isTTY) return { show: () => {}, clear: () => {} };
  let isShown = false;
  return {
    show: (text) => {
      isShown = true;
      stderr.write(`\r\u001b[2K\u001b[2m${text}\u001b[22m`);
    },
    clear: () => {
      if (isShown) stderr.write('\r\u001b[2K');
      isShown = false;
    },
  };
}
