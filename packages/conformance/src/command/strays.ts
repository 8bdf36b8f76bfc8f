import { setImmediate as turn } from 'node:timers/promises';
import { Seen } from './seen.js';

export interface Strays {
  /** Throws the first of those that came since the last check. */
  check(): Promise<void>;
  end(): void;
}

/**
 * What is thrown in a callback, or rejects with nobody waiting, would end the command. It counts against the case that runs
 * instead: a driver that does it ends the programs of its users (B04).
 */
export function watchStrays(): Strays {
  const strays: unknown[] = [];
  const note = (stray: unknown): void => void strays.push(stray);
  process.on('uncaughtException', note).on('unhandledRejection', note);
  return {
    async check() {
      await turn();
      const [cause] = strays.splice(0);
      if (cause === undefined) return;
      throw new Seen('in this case or after the one before, something was thrown outside of any call', {
        cause,
      });
    },
    end: () => void process.off('uncaughtException', note).off('unhandledRejection', note),
  };
}
