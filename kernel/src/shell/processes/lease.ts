/**
 * One process runs on one kernel at a time. The lease is on the store's clock; its fence goes into every commit, so that
 * a kernel that was paused too long cannot write over the one that took its place.
 */
import type { Milliseconds, Pid, RecallDriver } from '@pagefault/contracts';
import { hasCode, PagefaultError } from '@pagefault/contracts';

export class ProcessLease {
  readonly #recall: RecallDriver;
  readonly #pid: Pid;
  readonly #owner: string;
  readonly #ttl: Milliseconds;
  #timer: NodeJS.Timeout | undefined;
  #lost: PagefaultError | undefined;
  #onLost: (error: PagefaultError) => void = () => undefined;
  #onRenewed: () => void = () => undefined;
  /** By the monotonic clock of this machine: the store's clock is not ours to read. */
  #renewedAt = performance.now();
  readonly fence: number;

  private constructor(recall: RecallDriver, pid: Pid, owner: string, ttl: Milliseconds, fence: number) {
    [this.#recall, this.#pid, this.#owner, this.#ttl] = [recall, pid, owner, ttl];
    this.fence = fence;
  }

  /** Errors: `E_LEASE_LOST` while another kernel holds the process. */
  static async acquire(
    recall: RecallDriver,
    pid: Pid,
    owner: string,
    ttl: Milliseconds,
  ): Promise<ProcessLease> {
    const lease = await recall.acquireLease(pid, owner, ttl);
    if (!lease) throw heldElsewhere(pid);
    const held = new ProcessLease(recall, pid, owner, ttl, lease.fence);
    held.#renewEvery(Math.floor(ttl / 3));
    return held;
  }

  /** Told once, when another kernel has the process or the lease ran out. */
  whenLost(listener: (error: PagefaultError) => void): void {
    this.#onLost = listener;
  }

  /** Told whenever it was renewed. */
  whenRenewed(listener: () => void): void {
    this.#onRenewed = listener;
  }

  /** Throws when the lease is known to be lost; looked at before each cycle. */
  check(): void {
    if (this.#lost) throw this.#lost;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#lost) await this.#recall.releaseLease(this.#pid, this.#owner);
  }

  #renewEvery(interval: Milliseconds): void {
    this.#timer = setInterval(() => {
      this.#renew().catch((error: unknown) => this.#failed(error));
    }, interval);
    this.#timer.unref();
  }

  /** A store that does not answer for a moment is tried again; the fence guards what is written meanwhile. */
  #failed(error: unknown): void {
    const expired = performance.now() - this.#renewedAt >= this.#ttl;
    if (!expired && !hasCode(error, 'E_LEASE_LOST')) return;
    clearInterval(this.#timer);
    this.#lost ??= heldElsewhere(this.#pid, error);
    this.#onLost(this.#lost);
  }

  async #renew(): Promise<void> {
    const lease = await this.#recall.acquireLease(this.#pid, this.#owner, this.#ttl);
    if (!lease || lease.fence !== this.fence) throw heldElsewhere(this.#pid);
    this.#renewedAt = performance.now();
    this.#onRenewed();
  }
}

function heldElsewhere(pid: Pid, cause?: unknown): PagefaultError {
  return new PagefaultError('E_LEASE_LOST', `process ${pid} is run by another kernel`, {
    hint: 'stop the other kernel, or wait until its lease runs out',
    retryable: true,
    ...(cause !== undefined && { cause }),
  });
}
