import { aborted } from './errors.js';

/**
 * Lets one in at a time, first come first served. PGlite has a single session, so that a statement from outside
 * must not slip into somebody's transaction.
 */
export class Gate {
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  /** True when a caller may go on at once without entering: nobody is inside and nobody waits. */
  get free(): boolean {
    return !this.#taken;
  }

  /** Errors: `E_ABORTED` when the signal fires before the turn came. */
  async enter(signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw aborted(signal);
    if (!this.#taken) {
      this.#taken = true;
      return;
    }
    await this.#queue(signal);
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#taken = false;
    else next();
  }

  #queue(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', give);
        resolve();
      };
      const give = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        reject(aborted(signal as AbortSignal));
      };
      this.#waiting.push(enter);
      signal?.addEventListener('abort', give, { once: true });
    });
  }
}
