/** Watches what is spent: the caps, and the sum over all processes of the store, which other kernels add to as well. */
import type { Instant, MicroDollars, Pid, RecallDriver } from '@pagefault/contracts';
import type { Bus } from '../../bus.js';
import type { Clock } from '../../clock.js';
import { type NamedBill, spendIn } from '../../core/bills.js';
import type { Failure } from '../../core/outcome.js';
import { BESIDE_ROW, hasSpendCap, SPEND_ROW, SPEND_SPACE, spendCap, stackCap } from '../../core/spend.js';
import type { ProcessState } from '../../core/state.js';
import { type Limits, SPEND } from '../../limits.js';
import { allRows } from '../storage.js';

export interface SpendingOptions {
  readonly recall: RecallDriver;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly limits: Limits;
}

/** By process, of one kind of row. What one has spent never falls. */
type Spent = Map<Pid, MicroDollars>;

export class Spending {
  readonly #options: SpendingOptions;
  /** In turns, and beside them. */
  readonly #spent: Readonly<Record<string, Spent>> = {
    [SPEND_ROW.key]: new Map(),
    [BESIDE_ROW.key]: new Map(),
  };
  #readAt: Instant | undefined;
  /** Of whom it is not known what they charge, once each. */
  readonly #unpriced = new Set<string>();

  constructor(options: SpendingOptions) {
    this.#options = options;
  }

  /** Why nothing more may be spent on a process; undefined when more may be. */
  async cap(state: ProcessState): Promise<Failure | undefined> {
    const { limits } = this.#options;
    if (!hasSpendCap(limits)) return undefined;
    if (limits.processSpend !== undefined || limits.stackSpend !== undefined) await this.#read();
    const { pid, counters } = state.head;
    const own = spendCap(state, limits, this.#of(BESIDE_ROW.key, pid));
    if (own) return own;
    // An overlay has spent what no row tells yet.
    const unwritten = Math.max(0, (counters.spend ?? 0) - this.#of(SPEND_ROW.key, pid));
    return stackCap(this.#total() + unwritten, limits);
  }

  /** `before` is what the process had spent before these; undefined when they are not of the process's own turns. */
  heard(pid: Pid, bills: readonly NamedBill[], before: MicroDollars | undefined): void {
    if (!hasSpendCap(this.#options.limits)) return;
    for (const { by, spend } of bills) if (spend === undefined) this.#tellUnknown(pid, by);
    const spend = spendIn(bills);
    if (before !== undefined && spend > 0) this.#note(SPEND_ROW.key, pid, before + spend);
  }

  /** What a process has spent beside its turns, in all. */
  besides(pid: Pid, spent: MicroDollars): void {
    this.#note(BESIDE_ROW.key, pid, spent);
  }

  #tellUnknown(pid: Pid, processor: string): void {
    if (this.#unpriced.has(processor)) return;
    this.#unpriced.add(processor);
    this.#options.bus.raise('spend-unknown', { pid, processor });
  }

  /** An embedded store is nobody else's: it is read once. */
  async #read(): Promise<void> {
    const { recall, clock } = this.#options;
    const isFresh =
      this.#readAt !== undefined && (!recall.supports.shared || clock.now() - this.#readAt < SPEND.rereadMs);
    if (isFresh) return;
    const at = clock.now();
    for await (const { pid, key, value } of allRows(recall, SPEND_SPACE))
      this.#note(key, pid, spentIn(value));
    this.#readAt = at;
  }

  #of(key: string, pid: Pid): MicroDollars {
    return this.#spent[key]?.get(pid) ?? 0;
  }

  #total(): MicroDollars {
    const amounts = Object.values(this.#spent).flatMap((spent) => [...spent.values()]);
    return amounts.reduce((sum, one) => sum + one, 0);
  }

  /** A row may be older than what was heard here. */
  #note(key: string, pid: Pid, spent: MicroDollars): void {
    this.#spent[key]?.set(pid, Math.max(spent, this.#of(key, pid)));
  }
}

function spentIn(value: unknown): MicroDollars {
  const { microDollars } = (value ?? {}) as { readonly microDollars?: unknown };
  return typeof microDollars === 'number' ? microDollars : 0;
}
