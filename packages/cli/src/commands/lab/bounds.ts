/** What no policy can do better, at each budget of a study and, for a sweep, at each price of a cached token. */
import { setImmediate } from 'node:timers/promises';
import {
  type BoundFigures,
  type Contestant,
  isScheme,
  lowerBounds,
  type PagingSetup,
  type PagingTrace,
  type PriceRatios,
} from '@pagefault/lab';

type Setup = Partial<Omit<PagingSetup, 'budget'>>;

/** `ratio`: r, the price of a cached token against a plain one. */
export type Bound = BoundFigures & { readonly ratio: number };

/**
 * A scheme pages by settings of its own, which have a bound of their own: the least of all holds for all that are compared.
 * Errors: those of `lowerBounds`; the signal's reason.
 */
export async function boundsOf(
  trace: PagingTrace,
  contestants: readonly Contestant[],
  setup: Setup,
  {
    budgets,
    prices,
    signal,
  }: {
    readonly budgets: readonly number[];
    readonly prices: readonly PriceRatios[];
    readonly signal: AbortSignal;
  },
): Promise<readonly Bound[]> {
  const setups = distinctSetups(contestants, setup);
  const bounds: Bound[] = [];
  for (const budget of budgets) {
    for (const ratios of prices) {
      // Ctrl-C is heard between bounds.
      await setImmediate();
      signal.throwIfAborted();
      const all = setups.map((one) => lowerBounds(trace, { ...one, budget }, ratios));
      const faults = Math.min(...all.map((one) => one.faults));
      bounds.push({ budget, ratio: ratios.read, faults, cost: Math.min(...all.map((one) => one.cost)) });
    }
  }
  return bounds;
}

function distinctSetups(contestants: readonly Contestant[], setup: Setup): readonly Setup[] {
  const all = contestants.map((one): Setup => (isScheme(one) ? { ...setup, ...one.setup } : setup));
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
}
