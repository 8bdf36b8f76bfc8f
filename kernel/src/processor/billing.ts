/** Follows what one inference is billed for: the request that answers, and those that came to nothing. */
import {
  type Bill,
  type ErrorCode,
  hasCode,
  type ProcessorEvent,
  type UsageEvent,
} from '@pagefault/contracts';

const NOT_TOLD: Bill = { usage: { plain: 0, cached: 0, written: 0, output: 0 } };

/** The provider may have worked all the same when nobody listened any more. */
const UNHEARD: readonly ErrorCode[] = ['E_ABORTED', 'E_TIMEOUT'];

export class Billing {
  readonly #byAttempt = new Map<number, Bill>();
  #isGivenOut = false;

  take(event: ProcessorEvent): void {
    if (event.type === 'usage') this.#byAttempt.set(event.attempt ?? 1, billOf(event));
    else this.#isGivenOut = true;
  }

  /** Of requests before the one that answered: its own usage stands in its reply. */
  beside(answered: number = 1): readonly Bill[] {
    return [...this.#byAttempt].flatMap(([attempt, bill]) => (attempt === answered ? [] : [bill]));
  }

  /** Of an inference that failed. What was surely or maybe billed, and nobody told how much, is one bill of unknown usage. */
  ofFailure(error: unknown): readonly Bill[] {
    const bills = [...this.#byAttempt.values()];
    const isUntold = bills.length === 0 && (this.#isGivenOut || hasCode(error, ...UNHEARD));
    return isUntold ? [NOT_TOLD] : bills;
  }
}

function billOf({ usage, spend, by }: UsageEvent): Bill {
  return { usage, ...(spend !== undefined && { spend }), ...(by !== undefined && { by }) };
}
