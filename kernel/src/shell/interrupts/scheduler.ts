/**
 * Asleep until something is due. What that is and how it is claimed is its port's matter: this file only knows when to
 * look, and that a claim which fails is tried again and holds up no other.
 */
import type { Instant, Milliseconds, OwnedRow } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';

/** Where the rows are. */
export interface DueRows {
  /** A part of what is due at `now`, the earliest first, after a cursor of the part before. */
  due(
    now: Instant,
    after?: string,
  ): Promise<{ readonly items: readonly OwnedRow[]; readonly cursor?: string }>;
  /** When the earliest falls due, if there is one. */
  next(): Promise<Instant | undefined>;
}

export interface SchedulerPort {
  readonly clock: Clock;
  readonly rows: DueRows;
  /** Takes one occurrence; a no-op when another was first. */
  claim(row: OwnedRow, now: Instant): Promise<void>;
  /** How long a claim that failed waits; and, on a store that others write to, the longest sleep. */
  readonly pollMs: Milliseconds;
  readonly shared: boolean;
  onFailure(error: unknown): void;
}

export class Scheduler {
  readonly #port: SchedulerPort;
  #cancel: (() => void) | undefined;
  /** Until when it sleeps; none while it works. */
  #until: Instant | undefined;
  #work: Promise<void> = Promise.resolve();
  #looksAgain = false;
  #state: 'new' | 'running' | 'stopped' = 'new';

  constructor(port: SchedulerPort) {
    this.#port = port;
  }

  /** Resolves when what is due now was claimed. Idempotent. */
  start(): Promise<void> {
    if (this.#state === 'new') {
      this.#state = 'running';
      this.#look();
    }
    return this.#work;
  }

  /** Something was set that is due then; nothing to do when it wakes before that anyway. */
  wake(dueAt: Instant): void {
    if (this.#state !== 'running') return;
    if (this.#until === undefined) this.#looksAgain = true;
    else if (dueAt < this.#until) this.#look();
  }

  /** Claims nothing any more. Resolves when the claim under way is done. */
  async stop(): Promise<void> {
    this.#state = 'stopped';
    this.#cancel?.();
    await this.#work;
  }

  #look(): void {
    this.#cancel?.();
    this.#until = undefined;
    this.#work = this.#claimAll().then((until) => this.#sleep(until));
  }

  #sleep(until: Instant | undefined): void {
    if (this.#state !== 'running') return;
    if (this.#looksAgain) {
      this.#looksAgain = false;
      return this.#look();
    }
    this.#until = until ?? Number.MAX_SAFE_INTEGER;
    if (until !== undefined) this.#cancel = this.#port.clock.at(until, () => this.#look());
  }

  /** Resolves to when to look again. */
  async #claimAll(): Promise<Instant | undefined> {
    const { clock, rows, pollMs, shared } = this.#port;
    const retry = () => clock.now() + pollMs;
    try {
      const failed = await this.#claimDue();
      const next = await rows.next();
      if (failed) return retry();
      return shared ? Math.min(next ?? Infinity, retry()) : next;
    } catch (error) {
      this.#port.onFailure(error);
      return retry();
    }
  }

  /** Whether a claim failed. What falls due meanwhile is next. */
  async #claimDue(): Promise<boolean> {
    const { clock, rows } = this.#port;
    const now = clock.now();
    let failed = false;
    for (let after: string | undefined; ;) {
      const { items, cursor } = await rows.due(now, after);
      for (const row of items) {
        if (this.#state !== 'running') return false;
        failed = !(await this.#claim(row)) || failed;
      }
      if (cursor === undefined) return failed;
      after = cursor;
    }
  }

  async #claim(row: OwnedRow): Promise<boolean> {
    try {
      await this.#port.claim(row, this.#port.clock.now());
      return true;
    } catch (error) {
      this.#port.onFailure(error);
      return false;
    }
  }
}
