/**
 * One process runs on one kernel at a time. The lease is on the store's clock; its fence goes into every commit, so that
 * a kernel that was paused too long cannot write over the one that took its place.
 */
import type { Milliseconds, Pid, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';

export class ProcessLease {
  readonly #recall: RecallDriver;
  readonly #pid: Pid;
  readonly #owner: string;
  readonly #ttl: Milliseconds;
  #timer: NodeJS.Timeout | undefined;
  #lost: PagefaultError | undefined;
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
    onLost: () => void,
  ): Promise<ProcessLease> {
    const lease = await recall.acquireLease(pid, owner, ttl);
    if (!lease) throw heldElsewhere(pid);
    const held = new ProcessLease(recall, pid, owner, ttl, lease.fence);
    held.#renewEvery(Math.floor(ttl / 3), onLost);
    return held;
  }

  /** Throws when the lease is known to be lost; looked at before each cycle. */
  check(): void {
    if (this.#lost) throw this.#lost;
  }

  async release(): Promise<void> {
    clearInterval(this.#timer);
    if (!this.#lost) await this.#recall.releaseLease(this.#pid, this.#owner);
  }

  #renewEvery(interval: Milliseconds, onLost: () => void): void {
    this.#timer = setInterval(() => {
      this.#renew().catch((error: unknown) => {
        this.#lost ??= PagefaultError.is(error) ? error : heldElsewhere(this.#pid);
        clearInterval(this.#timer);
        onLost();
      });
    }, interval);
    this.#timer.unref();
  }

  async #renew(): Promise<void> {
    const lease = await this.#recall.acquireLease(this.#pid, this.#owner, this.#ttl);
    if (!lease || lease.fence !== this.fence) throw heldElsewhere(this.#pid);
  }
}

function heldElsewhere(pid: Pid): PagefaultError {
  return new PagefaultError('E_LEASE_LOST', `process ${pid} is run by another kernel`, {
    hint: 'stop the other kernel, or wait until its lease runs out',
    retryable: true,
  });
}
