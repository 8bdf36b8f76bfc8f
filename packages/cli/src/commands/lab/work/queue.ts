import type { Asked } from './protocol.js';
import type { Task } from './task.js';

/**
 * Tasks for several threads. A thread goes on with the policy that it has begun, for which its code is warm: that each warms
 * up for all of them is what threads cost.
 */
export class Queue {
  #rest: readonly Asked[];
  /** What threads are at, by policy: how many. */
  readonly #inHand = new Map<string, number>();

  constructor(tasks: readonly Task[]) {
    this.#rest = tasks.map((task, id) => ({ id, task }));
  }

  /** Of the same policy as what the thread has done, else of one that no thread is at, else the first. */
  after(done: Asked | undefined): Asked | undefined {
    const last = done && keyOf(done);
    if (last !== undefined) this.#count(last, -1);
    const found =
      this.#rest.find((one) => keyOf(one) === last) ??
      this.#rest.find((one) => (this.#inHand.get(keyOf(one)) ?? 0) === 0) ??
      this.#rest[0];
    if (found === undefined) return undefined;
    this.#rest = this.#rest.filter((one) => one !== found);
    this.#count(keyOf(found), 1);
    return found;
  }

  /** After a failure: only what stands before it, for the first failure of all is told. */
  stopAt(failed: number): void {
    this.#rest = this.#rest.filter(({ id }) => id < failed);
  }

  #count(key: string, by: number): void {
    this.#inHand.set(key, (this.#inHand.get(key) ?? 0) + by);
  }
}

const keyOf = ({ task }: Asked) => (task.kind === 'run' ? `run ${task.policy}` : 'bound');
