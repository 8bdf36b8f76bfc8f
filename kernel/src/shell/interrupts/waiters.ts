/** Those who wait for the answer to an interrupt, by its id. */
import type { TurnResult } from '../../core/outcome.js';

export interface Waiter {
  readonly signal: AbortSignal | undefined;
  readonly answered: Promise<TurnResult>;
  resolve(result: TurnResult): void;
  reject(error: unknown): void;
}

export class Waiters {
  readonly #byId = new Map<string, readonly Waiter[]>();

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  wait(id: string, signal: AbortSignal | undefined): Waiter {
    const { promise, resolve, reject } = deferred<TurnResult>();
    // It may fail before its caller looks at it, and then it is told by what failed first.
    promise.catch(() => undefined);
    const waiter = { signal, answered: promise, resolve, reject };
    this.#join(id, waiter);
    return waiter;
  }

  leave(id: string, waiter: Waiter): void {
    const others = (this.#byId.get(id) ?? []).filter((other) => other !== waiter);
    if (others.length > 0) this.#byId.set(id, others);
    else this.#byId.delete(id);
  }

  /** The interrupt that is served for the one waited for is another. */
  move(id: string, to: string, waiter: Waiter): void {
    if (id === to) return;
    this.leave(id, waiter);
    this.#join(to, waiter);
  }

  signalsOf(id: string): AbortSignal[] {
    return (this.#byId.get(id) ?? []).flatMap(({ signal }) => signal ?? []);
  }

  settle(result: TurnResult): void {
    for (const id of result.interruptIds) for (const waiter of this.#take(id)) waiter.resolve(result);
  }

  fail(id: string, error: unknown): void {
    for (const waiter of this.#take(id)) waiter.reject(error);
  }

  failAll(error: unknown): void {
    for (const id of this.#byId.keys()) this.fail(id, error);
  }

  #join(id: string, waiter: Waiter): void {
    this.#byId.set(id, [...(this.#byId.get(id) ?? []), waiter]);
  }

  #take(id: string): readonly Waiter[] {
    const waiters = this.#byId.get(id) ?? [];
    this.#byId.delete(id);
    return waiters;
  }
}

function deferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((yes, no) => {
    [resolve, reject] = [yes, no];
  });
  return { promise, resolve, reject };
}
