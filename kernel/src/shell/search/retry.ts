/** When the indexer looks again by itself: after a failure, and when what another kernel claimed is free again. */
import type { Instant } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { Limits } from '../../limits.js';

export class Retry {
  readonly #clock: Clock;
  readonly #limits: Pick<Limits, 'indexRetryMs' | 'indexRetryMaxMs'>;
  readonly #run: () => void;
  #cancel: (() => void) | undefined;
  #failures = 0;
  #isBackingOff = false;

  constructor(clock: Clock, limits: Pick<Limits, 'indexRetryMs' | 'indexRetryMaxMs'>, run: () => void) {
    [this.#clock, this.#limits, this.#run] = [clock, limits, run];
  }

  /** Something failed, and its time has not come yet. */
  get isWaiting(): boolean {
    return this.#isBackingOff;
  }

  afterFailure(): void {
    const { indexRetryMs, indexRetryMaxMs } = this.#limits;
    const wait = Math.min(indexRetryMaxMs, indexRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.at(this.#clock.now() + wait);
    this.#isBackingOff = true;
  }

  succeeded(): void {
    this.#failures = 0;
  }

  at(instant: Instant): void {
    this.cancel();
    this.#cancel = this.#clock.at(instant, this.#run);
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#isBackingOff = false;
  }
}
