/** What the kernel does by itself: serves the inboxes that nobody waits for and, once it is told to, claims timers. */
import type { Instant, Pid } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Limits } from '../../limits.js';
import { Background } from './background.js';
import type { Delivery } from './delivery.js';
import { hasWork } from './inbox.js';
import type { ProcessTable } from '../processes/process-table.js';
import { type ServeOptions, Service } from './service.js';
import type { Services } from '../services.js';
import { loadProcess } from '../storage.js';

export interface ServingParts {
  readonly services: Services;
  readonly limits: Limits;
  readonly table: ProcessTable;
}

export class Serving {
  readonly #parts: ServingParts;
  readonly #background: Background;
  #service: Service | undefined;

  constructor(parts: ServingParts) {
    this.#parts = parts;
    this.#background = new Background({
      most: parts.limits.backgroundTurns,
      serve: (pid) => this.#serveLeft(pid),
      onFailure: (pid, error) => this.#failed(error, pid),
    });
  }

  /** Resolves when all that is due now is on its way. A second call changes nothing. */
  async start({ only }: ServeOptions): Promise<void> {
    this.#service ??= this.#makeService(only);
    await this.#service.start();
  }

  /** Claims nothing any more. */
  async stopClaiming(): Promise<void> {
    await this.#service?.stop();
  }

  /** Begins nothing any more; resolves when what is under way has ended, which is for others to stop. */
  stop(): Promise<void> {
    return this.#background.stop();
  }

  wake(dueAt: Instant): void {
    this.#service?.wake(dueAt);
  }

  soon(pid: Pid): void {
    this.#background.add(pid);
  }

  /** Where it asks by itself there is nothing to be told. */
  leaseRenewed(pid: Pid): void {
    if (!this.#service?.looksAt(pid)) this.#background.add(pid);
  }

  #makeService(only: Pid | undefined): Service {
    const { services, limits } = this.#parts;
    const { recall, clock, nextPlace, bus } = services;
    return new Service({
      recall,
      clock,
      nextPlace,
      only,
      limits,
      serveSoon: (pid) => this.soon(pid),
      onFailure: (error) => this.#failed(error),
      onClaim: (pid, { id, servedAs }: Delivery) =>
        bus.raise('interrupt-delivered', { pid, interruptId: id, kind: 'timer', servedAs }),
    });
  }

  /** Serves what waits for a process, unless it is held back or another kernel has it. */
  async #serveLeft(pid: Pid): Promise<void> {
    const { services, table } = this.#parts;
    const { recall } = services;
    // Whoever is at work is told, and not waited for: others wait for this place.
    if (table.serveMore(pid, (error) => this.#failed(error, pid))) return;
    const record = (await hasWork(recall, pid)) ? await loadProcess(recall, pid) : undefined;
    if (!record) return;
    const failures = await table.workOn(record, async (active) => {
      await active.runner();
      return active.inbox.serve();
    });
    for (const error of failures) this.#failed(error, pid);
  }

  #failed(error: unknown, pid?: Pid): void {
    // Another kernel has the process, or this one is closing: what waits is served all the same.
    if (hasCode(error, 'E_LEASE_LOST') || hasCode(error, 'E_NOT_OPEN')) return;
    this.#parts.services.bus.raise('serve-failed', { error, ...(pid !== undefined && { pid }) });
    this.#service?.lookAgain();
  }
}
