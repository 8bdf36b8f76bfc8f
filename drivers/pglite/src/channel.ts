import { Worker } from 'node:worker_threads';
import type { PagefaultError } from '@pagefault/contracts';
import { callError, deathError } from './errors.js';
import type { Answer, Call, Operation, RawResult, Reply, WorkerTask } from './protocol.js';
import type { Witness } from './witness.js';

interface Pending {
  resolve(value: unknown): void;
  reject(error: PagefaultError): void;
}

/**
 * The main thread's end of a worker. Calls of one tick travel in one message, answers too. When the worker
 * ends, for whatever reason, every call in flight is rejected; none hangs. While nothing is asked the worker
 * does not keep Node alive. When the witness tells of a loss, nothing more is sent or acknowledged.
 */
export class Channel {
  readonly #place: string;
  readonly #witness: Witness | undefined;
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #outgoing: Call[] = [];
  #nextId = 1;
  #reason: Reply['fatal'];
  #cause: unknown;
  /** Set once the worker ended or the files are lost; then nothing can be asked any more. */
  death: PagefaultError | undefined;
  /** Resolves when the worker ended. */
  readonly ended: Promise<void>;

  constructor(place: string, task: WorkerTask, witness?: Witness) {
    this.#place = place;
    this.#witness = witness;
    this.#worker = new Worker(new URL('../worker/main.mjs', import.meta.url), {
      workerData: task,
      // Its output would be noise in the user's terminal; what matters comes as a message.
      stdout: true,
      stderr: true,
      // Loaders of the parent (a test runner's, a transpiler's) have no business in it.
      execArgv: [],
    });
    this.#worker.unref();
    this.#worker.on('message', (reply: Reply) => this.#receive(reply));
    this.#worker.on('error', (error) => (this.#cause = error));
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#die();
        resolve();
      });
    });
  }

  call(operation: Operation): Promise<unknown> {
    if (this.#isLost() || this.death !== undefined) return Promise.reject(this.death);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      if (this.#pending.size === 1) this.#worker.ref();
      this.#send({ ...operation, id });
    });
  }

  query(operation: Extract<Operation, { op: 'query' | 'sequence' }>): Promise<RawResult> {
    return this.call(operation) as Promise<RawResult>;
  }

  /** Ends the worker without its leave; safe for the files, like a kill. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
    await this.ended;
  }

  #send(call: Call): void {
    if (this.#outgoing.push(call) > 1) return;
    queueMicrotask(() => {
      const calls = this.#outgoing;
      this.#outgoing = [];
      this.#worker.postMessage(calls, []);
    });
  }

  #receive(reply: Reply): void {
    if (reply.fatal !== undefined) this.#reason = reply.fatal;
    if (this.#isLost()) return;
    for (const answer of reply.answers ?? []) this.#settle(answer);
    if (this.#pending.size === 0) this.#worker.unref();
  }

  #settle({ id, value, error }: Answer): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(callError(this.#place, error));
  }

  /** Ends the worker at once when the files are lost: it must not touch what may stand in their place. */
  #isLost(): boolean {
    if (this.death !== undefined) return false;
    const loss = this.#witness?.loss();
    if (loss === undefined) return false;
    this.#rejectAll(loss);
    void this.#worker.terminate();
    return true;
  }

  #die(): void {
    if (this.death !== undefined) return;
    this.#rejectAll(this.#witness?.loss() ?? deathError(this.#place, this.#reason, this.#cause));
  }

  #rejectAll(death: PagefaultError): void {
    this.death = death;
    for (const { reject } of this.#pending.values()) reject(death);
    this.#pending.clear();
  }
}
