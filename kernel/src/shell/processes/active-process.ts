/** A process that this kernel works on: its inbox, and the runner while it is attached. */
import type { PagefaultError, Pid } from '@pagefault/contracts';
import type { Event, Interrupt } from '../../core/events.js';
import { type Attached, attachStored } from './attach.js';
import type { ProcessorChoice } from './processor-choice.js';
import { swapProcessor } from './swap.js';
import type { Environment } from '../environment.js';
import { InboxServer } from '../interrupts/inbox-server.js';
import { closedError, closingError } from '../stopping.js';
import type { Runner } from '../runner.js';
import type { ProcessRecord } from '../storage.js';

export class ActiveProcess {
  readonly record: ProcessRecord;
  readonly inbox: InboxServer;
  readonly #environment: Environment;
  #attached: Promise<Attached> | undefined;
  /** The last detaching: whoever comes meanwhile attaches after it. */
  #leaving: Promise<void> = Promise.resolve();
  #uses = 0;
  /** Why nothing is attached any more. */
  #ended: PagefaultError | undefined;
  #usedAt: number;

  constructor(environment: Environment, record: ProcessRecord) {
    [this.#environment, this.record] = [environment, record];
    this.#usedAt = environment.services.clock.now();
    this.inbox = new InboxServer(record, environment.services, {
      attach: () => this.runner(),
      event: (interrupt) => this.event(interrupt),
      steer: (interrupt) => void this.#steer(interrupt),
    });
  }

  get pid(): Pid {
    return this.record.pid;
  }

  get isAttached(): boolean {
    return this.#attached !== undefined;
  }

  get isIdle(): boolean {
    return this.#uses === 0 && this.inbox.isIdle;
  }

  /** On the kernel's clock. */
  get usedAt(): number {
    return this.#usedAt;
  }

  /** While `work` runs the process is not idle. */
  async busyWith<T>(work: () => Promise<T>): Promise<T> {
    this.#uses++;
    try {
      return await work();
    } finally {
      this.#uses--;
      this.#usedAt = this.#environment.services.clock.now();
    }
  }

  async runner(): Promise<Runner> {
    return (await this.attached()).runner;
  }

  /** Attached, holding the lease; attached again when a commit of the last one failed. */
  async attached(): Promise<Attached> {
    await this.#leaving;
    const known = this.#attached;
    if (known) {
      const attached = await known;
      if (!attached.runner.isBroken) return attached;
      await attached.runner.close().catch(() => undefined); // Broken already; its lease runs out by itself.
      if (this.#attached === known) this.#attached = undefined;
    }
    if (!this.#attached && this.#ended) throw this.#ended;
    return this.#attached ?? this.begin(attachStored(this.#environment, this.record));
  }

  begin(attaching: Promise<Attached>): Promise<Attached> {
    this.#attached = attaching;
    attaching.catch(() => {
      if (this.#attached === attaching) this.#attached = undefined;
    });
    return attaching;
  }

  /** From the end of the turn under way on. Also for one whose processor is not there any more. */
  async useProcessor(choice: ProcessorChoice): Promise<void> {
    await this.#leaving;
    if (!this.#ended && !this.#attached)
      await this.begin(attachStored(this.#environment, this.record, choice));
    else await swapProcessor(await this.attached(), choice);
  }

  /** Reclaims what an idle process need not hold. Whoever comes meanwhile is served right after. */
  rest(): Promise<void> {
    return this.busyWith(async () => (await this.#attached)?.runner.idle());
  }

  /** What the policy knows, for a fork. Undefined while it is not attached. */
  async snapshot(): Promise<Uint8Array | undefined> {
    return (await this.#attached)?.snapshot();
  }

  event(interrupt: Interrupt): Event {
    const { mintId, clock } = this.#environment.services;
    return { type: 'interrupt', at: clock.now(), turnId: mintId(), interrupt };
  }

  /** Keeps what the policy knows and gives the lease back. The next one who comes attaches anew. */
  detach(): Promise<void> {
    const attached = this.#attached;
    if (!attached) return this.#leaving;
    this.#attached = undefined;
    const leaving = attached.then((it) => it.detach());
    this.#leaving = leaving.catch(() => undefined); // Told to whoever asked for it.
    return leaving;
  }

  /** Begins no other turn; resolves when the one under way has ended, and whoever waits for another is told. */
  async shut(): Promise<void> {
    this.#ended ??= closedError();
    const attached = await this.#attached?.catch(() => undefined);
    await attached?.runner.shut();
    await this.inbox.served();
    this.inbox.refuseAll(closingError());
  }

  /** For ever: stops the turn, refuses who waits and who comes, and gives the lease back. */
  async retire(reason: PagefaultError): Promise<void> {
    this.#ended = reason;
    await this.stopTurn();
    await this.#leaving;
    const attached = await this.#attached?.catch(() => undefined);
    await attached?.runner.shut();
    this.#attached = undefined;
    this.inbox.refuseAll(reason);
    await attached?.runner.close();
  }

  async #steer(interrupt: Interrupt): Promise<void> {
    const attached = await this.#attached?.catch(() => undefined);
    attached?.runner.steer(interrupt);
  }

  /** Ends the turn that is under way. */
  async stopTurn(reason?: Error): Promise<void> {
    const attached = await this.#attached?.catch(() => undefined);
    attached?.runner.stopTurn(reason);
  }
}
