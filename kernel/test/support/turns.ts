/** Turns that nobody waits for, as the bus tells them. */
import type { Pid } from '@pagefault/contracts';
import type { TurnResult } from '../../src/core/outcome.js';
import type { Kernel } from '../../src/shell/kernel.js';

export interface Turns {
  readonly results: readonly (TurnResult & { readonly pid: Pid })[];
  /** Resolves when there were so many. */
  reached(count: number): Promise<void>;
}

export function turnsOf(...kernels: readonly Kernel[]): Turns {
  const results: (TurnResult & { readonly pid: Pid })[] = [];
  const waiting: { readonly count: number; resolve(): void }[] = [];
  for (const kernel of kernels) {
    kernel.bus.on('turn-result', ({ pid, result }) => {
      results.push({ ...result, pid });
      for (const waiter of waiting) if (results.length >= waiter.count) waiter.resolve();
    });
  }
  return {
    results,
    reached: (count) =>
      new Promise((resolve) => {
        if (results.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}
