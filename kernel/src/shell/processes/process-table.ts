/**
 * The processes that this kernel works on now. All others are rows in the store: an idle process is passivated, and then
 * nothing of it stays here, neither its pages nor its lease.
 */
import type { Milliseconds, Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { ActiveProcess } from './active-process.js';
import type { Environment } from '../environment.js';
import { closedError } from '../stopping.js';
import type { ProcessRecord } from '../storage.js';

export class ProcessTable {
  readonly #environment: Environment;
  readonly #active = new Map<Pid, ActiveProcess>();
  readonly #erased = new Set<Pid>();
  #closed = false;
  /** Cancels the next look for idle processes. */
  #cancelSweep: (() => void) | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  get size(): number {
    return this.#active.size;
  }

  isAttached(pid: Pid): boolean {
    return this.#active.get(pid)?.isAttached ?? false;
  }

  /** Works on a process, which stays here at least as long. Errors: `E_NOT_OPEN` once the kernel is closed. */
  async workOn<T>(record: ProcessRecord, work: (active: ActiveProcess) => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError();
    if (this.#erased.has(record.pid)) throw erasedError(record.pid);
    const active = this.#enter(record);
    const result = active.busyWith(() => work(active));
    this.#makeRoom();
    this.#sweepLater();
    return result;
  }

  /** Has a process that serves its inbox just now look into it once more. False when it does not. */
  serveMore(pid: Pid, onFailure: (error: unknown) => void): boolean {
    const active = this.#active.get(pid);
    if (!active?.inbox.isServing) return false;
    active.inbox.changed();
    void active.inbox.serve().then((failures) => failures.forEach(onFailure));
    return true;
  }

  /** Of a process that is not here nothing was read that could be old. */
  inboxChanged(pid: Pid): void {
    this.#active.get(pid)?.inbox.changed();
  }

  /** Lets go of those that were not used for so long. Resolves to how many these were. */
  async passivate(idleFor: Milliseconds): Promise<number> {
    const idle = this.#idleFor(idleFor);
    for (const active of idle) await this.#letGo(active);
    return idle.length;
  }

  /** The provider's cache is cold by now, so those that are full are reclaimed before they leave. */
  async #sweep(idleFor: Milliseconds): Promise<void> {
    for (const active of this.#idleFor(idleFor)) {
      await this.#reclaim(active);
      if (active.isIdle && !this.#closed) await this.#letGo(active);
    }
  }

  async #reclaim(active: ActiveProcess): Promise<void> {
    try {
      await active.rest();
    } catch (error) {
      if (!this.#closed)
        this.#environment.services.bus.raise('passivation-failed', { pid: active.pid, error });
    }
  }

  #idleFor(time: Milliseconds): ActiveProcess[] {
    const before = this.#environment.services.clock.now() - time;
    return [...this.#active.values()].filter((active) => active.isIdle && active.usedAt <= before);
  }

  /** Begins nothing any more. Turns under way may go on for `grace`, then they are stopped. */
  async shut(grace: Milliseconds): Promise<void> {
    this.#closed = true;
    this.#cancelSweep?.();
    const ended = Promise.all([...this.#active.values()].map((active) => active.shut()));
    if (grace > 0) await unlessLate(ended, grace);
    for (const active of this.#active.values()) void active.stopTurn();
    await ended;
  }

  /** Resolves to what failed. */
  async detachAll(): Promise<readonly unknown[]> {
    const results = await Promise.allSettled([...this.#active.values()].map((active) => active.detach()));
    this.#active.clear();
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  }

  forget(pid: Pid): void {
    this.#active.delete(pid);
  }

  /**
   * Ends a process that is to be erased: its turn is stopped, who waits is refused, nothing of it is kept here. `work` is
   * done before anybody can come back; when it fails the process can be worked on again.
   */
  async retire<T>(record: ProcessRecord, work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw closedError();
    const active = this.#enter(record);
    try {
      return await active.busyWith(async () => {
        await active.retire(erasedError(record.pid));
        const result = await work();
        this.#erased.add(record.pid);
        return result;
      });
    } finally {
      this.forget(record.pid);
    }
  }

  /** The one used last is last. */
  #enter(record: ProcessRecord): ActiveProcess {
    const active = this.#active.get(record.pid) ?? new ActiveProcess(this.#environment, record);
    this.#active.delete(record.pid);
    this.#active.set(record.pid, active);
    return active;
  }

  /** Above the limit those go that were not used for longest; it is passed only while more are at work at once. */
  #makeRoom(): void {
    let surplus = this.#active.size - this.#environment.limits.activeProcesses;
    for (const active of this.#active.values()) {
      if (surplus <= 0) return;
      if (!active.isIdle) continue;
      surplus--;
      void this.#letGo(active);
    }
  }

  /** One look each `idleMs` while anything is here, so a process leaves after once to twice that time. */
  #sweepLater(): void {
    if (this.#cancelSweep || this.#closed || this.#active.size === 0) return;
    const { services, limits } = this.#environment;
    this.#cancelSweep = services.clock.at(services.clock.now() + limits.idleMs, () => {
      this.#cancelSweep = undefined;
      void this.#sweep(limits.idleMs).then(() => this.#sweepLater());
    });
  }

  async #letGo(active: ActiveProcess): Promise<void> {
    const { pid } = active;
    const { bus } = this.#environment.services;
    try {
      await active.detach();
      bus.raise('passivated', { pid });
    } catch (error) {
      bus.raise('passivation-failed', { pid, error });
    } finally {
      if (active.isIdle && !active.isAttached && this.#active.get(pid) === active) this.#active.delete(pid);
    }
  }
}

export function erasedError(pid: Pid): PagefaultError {
  return new PagefaultError('E_NOT_FOUND', `process ${pid} was erased`, {
    hint: '`pagefault ps` lists what is there',
  });
}

async function unlessLate(work: Promise<unknown>, limit: Milliseconds): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limit);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
