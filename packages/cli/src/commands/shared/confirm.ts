import { createInterface } from 'node:readline';
import { PagefaultError } from '@pagefault/contracts';
import type { Io } from './io.js';

/** Asks who sits at a terminal. Errors: `E_INVALID` when nobody does, saying which option stands for a yes. */
export async function confirmed({ stdin, stderr }: Io, warning: string, option: string): Promise<boolean> {
  if (stdin.isTTY !== true)
    throw new PagefaultError('E_INVALID', `${warning} Nobody was there to say yes`, {
      hint: `add ${option}`,
    });
  stderr.write(`${warning} Go on? [y/N] `);
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    for await (const line of lines) return /^y(es)?$/i.test(line.trim());
    return false;
  } finally {
    lines.close();
  }
}
