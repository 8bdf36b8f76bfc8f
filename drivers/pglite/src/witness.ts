import { statSync } from 'node:fs';
import type { PagefaultError } from '@pagefault/contracts';
import { removedError } from './errors.js';
import { errorCode } from './folders.js';

/**
 * Tells whether an open store still is where it was opened. The operating system lets the database write for
 * ever into files that were removed, and what it makes anew could land in the store of somebody who opened the
 * same folder since; so this is asked before each call and before each acknowledgement. A few microseconds.
 */
export class Witness {
  readonly #dataDir: string;
  readonly #files: string[];
  #loss: PagefaultError | undefined;

  /** The name of a claim is never used twice: it also tells a folder that was made anew. */
  constructor(dataDir: string, claim: string) {
    this.#dataDir = dataDir;
    this.#files = [claim];
  }

  /** Another file that is there for as long as the store is. */
  watch(file: string): void {
    this.#files.push(file);
  }

  /** The store is closed: what happens to its files from now on is no loss. */
  rest(): void {
    this.#files.length = 0;
  }

  /** `E_DATA_DIR` once a file was missing, for good. */
  loss(): PagefaultError | undefined {
    if (this.#loss === undefined && this.#files.some(isMissing)) this.#loss = removedError(this.#dataDir);
    return this.#loss;
  }
}

function isMissing(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) === undefined;
  } catch (error) {
    // Anything else says nothing about the file: whatever ails the folder, the database will meet it too.
    return errorCode(error) === 'ENOTDIR';
  }
}
