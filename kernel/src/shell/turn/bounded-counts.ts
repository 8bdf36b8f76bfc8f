/** Tells that upper bounds stand in for the provider's own counts: once, and not with every turn. */
import type { PagefaultError, Pid } from '@pagefault/contracts';
import type { Bus } from '../../bus.js';

export class BoundedCounts {
  readonly #bus: Bus;
  readonly #told = new Set<string>();

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  tell(pid: Pid, processor: string, error: PagefaultError): void {
    const key = `${pid} ${processor}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#bus.raise('exact-count-failed', { pid, processor, error });
  }
}
