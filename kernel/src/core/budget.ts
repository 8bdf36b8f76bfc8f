import type { Tokens } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import type { ProcessorView } from './config.js';

/** How the window is shared out. All integers, so that every platform decides alike. */
export interface Budget {
  readonly window: Tokens;
  /** Kept free for the reply; also the most that one reply may ask for. */
  readonly reserve: Tokens;
  /** For what providers add and no tokenizer shows. */
  readonly margin: Tokens;
  /** What one request may hold. */
  readonly tokens: Tokens;
}

export function budgetOf(processor: ProcessorView, limits: Limits): Budget {
  const { window } = processor;
  const reserve = Math.min(processor.maxOutput, Math.floor(window * limits.outputReserveShare));
  const margin = Math.ceil(window * limits.safetyMarginShare);
  return { window, reserve, margin, tokens: window - reserve - margin };
}

/** A share of the budget in whole tokens. */
export function shareOf(budget: Budget, share: number): Tokens {
  return Math.floor(budget.tokens * share);
}
