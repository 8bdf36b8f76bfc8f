/** Watches what is spent: the caps, and the sum over all processes of the store, which other kernels add to as well. */
import type { Instant, MicroDollars, Pid, RecallDriver, Reply } from '@pagefault/contracts';
import type { Bus } from '../../bus.js';
import type { Clock } from '../../clock.js';
import type { Failure } from '../../core/outcome.js';
import { hasSpendCap, SPEND_SPACE, spendCap, stackCap } from '../../core/spend.js';
import type { ProcessState } from '../../core/state.js';
import { type Limits, SPEND } from '../../limits.js';
import { SLICE } from '../storage.js';

export interface SpendingOptions {
  readonly recall: RecallDriver;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly limits: Limits;
}

export class Spending {
  readonly #options: SpendingOptions;
  /** Of all processes, by process. What one has spent never falls. */
  readonly #spent = new Map<Pid, MicroDollars>();
  #readAt: Instant | undefined;
  /** Processors whose prices are not known, once each. */
  readonly #unpriced = new Set<string>();

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** Why nothing more may be spent on a process; undefined when more may be. */
  async cap(state: ProcessState): Promise<Failure | undefined> {
    const { limits } = this.#options;
    const own = spendCap(state, limits);
    if (own || limits.stackSpend === undefined) return own;
    await this.#read();
    return stackCap(this.#spent, limits);
  }

  /** `before` is what the process had spent before this reply. */
  heard(pid: Pid, processor: string, before: MicroDollars, { spend }: Pick<Reply, 'spend'>): void {
    const { limits, bus } = this.#options;
    if (!hasSpendCap(limits)) return;
    if (spend !== undefined) return this.#note(pid, before + spend);
    if (this.#unpriced.has(processor)) return;
    this.#unpriced.add(processor);
    bus.raise('spend-unknown', { pid, processor });
  }

  /** An embedded store is nobody else's: it is read once. */
  async #read(): Promise<void> {
    const { recall, clock } = this.#options;
    const isFresh =
      this.#readAt !== undefined && (!recall.supports.shared || clock.now() - this.#readAt < SPEND.rereadMs);
    if (isFresh) return;
    const at = clock.now();
    for (let after: string | undefined; ;) {
      const slice = await recall.scan(SPEND_SPACE, { limit: SLICE, ...(after !== undefined && { after }) });
      for (const { pid, value } of slice.items) this.#note(pid, spentIn(value));
      after = slice.cursor;
      if (after === undefined) break;
    }
    this.#readAt = at;
  }

  /** A row may be older than what was heard here. */
  #note(pid: Pid, spent: MicroDollars): void {
    this.#spent.set(pid, Math.max(spent, this.#spent.get(pid) ?? 0));
  }
}

function spentIn(value: unknown): MicroDollars {
  const { microDollars } = (value ?? {}) as { readonly microDollars?: unknown };
  return typeof microDollars === 'number' ? microDollars : 0;
}
