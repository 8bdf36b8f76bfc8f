/** Which processors failed of late: these are asked after the others, until their time is over. */
import { type Milliseconds, PagefaultError, type PassedOver } from '@pagefault/contracts';

interface Failure extends PassedOver {
  readonly until: Milliseconds;
}

export class Breaker {
  readonly #passOverMs: Milliseconds;
  readonly #now: () => Milliseconds;
  readonly #failures = new Map<string, Failure>();

  constructor(passOverMs: Milliseconds, now: () => Milliseconds) {
    [this.#passOverMs, this.#now] = [passOverMs, now];
  }

  failed(name: string, error: unknown): PassedOver {
    const code = PagefaultError.is(error) ? error.code : 'E_PROTOCOL';
    const reason = { name, code, message: error instanceof Error ? error.message : String(error) };
    this.#failures.set(name, { ...reason, until: this.#now() + this.#passOverMs });
    return reason;
  }

  answered(name: string): void {
    this.#failures.delete(name);
  }

  /** Why it is passed over now; undefined when it is not. */
  openFor(name: string): PassedOver | undefined {
    const failure = this.#failures.get(name);
    if (!failure || failure.until <= this.#now()) return undefined;
    const { until: _, ...reason } = failure;
    return reason;
  }
}
