import type { ArchivalDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { aborted, Lifecycle } from './lifecycle.js';
import { headOf } from './recall.js';

/**
 * An empty scope is refused here, so that no driver can take it for all tenants (B35).
 *
 * The index is no row of truth, so one that cannot be reached keeps nobody from starting: `open` then tells `onAway` and
 * succeeds, and each operation tries to open it again. A query does not wait for that, since the words of a text are
 * searched without it. What a retry cannot help is thrown by `open` as ever.
 */
export function guardArchival(
  driver: ArchivalDriver,
  onAway?: (error: PagefaultError) => void,
): ArchivalDriver {
  const life = new Lifecycle(driver, 'E_STORAGE');
  const reach = new Reach(driver.name, life);
  const call = async <T>(step: string, signal: AbortSignal | undefined, work: () => Promise<T>) => {
    if (step === 'query') reach.inBackground();
    else await reach.now(signal);
    return life.call(step, signal, work);
  };
  const scoped = (scope: string): void => {
    if (scope !== '') return;
    throw new PagefaultError('E_INVALID', `${driver.name}: the scope is empty`, { driver: driver.name });
  };
  return {
    ...headOf(driver, life),
    open: async (signal) => {
      const away = await reach.begin(signal);
      if (away === undefined) return;
      if (onAway === undefined || !away.retryable) throw away;
      onAway(away);
    },
    close: () => (reach.giveUp(), life.close()),
    upsert: (scope, entries, signal) =>
      call('upsert', signal, async () => (scoped(scope), driver.upsert(scope, entries, signal))),
    query: (query, signal) =>
      call('query', signal, async () => (scoped(query.scope), driver.query(query, signal))),
    remove: (scope, ids, signal) =>
      call('remove', signal, async () => (scoped(scope), driver.remove(scope, ids, signal))),
    count: (scope, signal) => call('count', signal, async () => (scoped(scope), driver.count(scope, signal))),
    list: (scope, query, signal) =>
      call('list', signal, async () => (scoped(scope), driver.list(scope, query, signal))),
  };
}

/** Whether the index was reached, and what it said last when it was not. */
class Reach {
  readonly #name: string;
  readonly #life: Lifecycle;
  #away: PagefaultError | undefined;
  #isOver = false;

  constructor(name: string, life: Lifecycle) {
    [this.#name, this.#life] = [name, life];
  }

  /** Resolves to why it was not reached. */
  begin(signal?: AbortSignal): Promise<PagefaultError | undefined> {
    this.#isOver = false;
    return this.#try(signal);
  }

  /** Tries again, when it was not reached before. An attempt is everybody's, so that a signal ends the waiting for it only. */
  async now(signal?: AbortSignal): Promise<void> {
    if (this.#away === undefined) return;
    const stop = gate<PagefaultError>();
    const onAbort = (): void => stop.open(aborted(this.#name, 'open', signal?.reason));
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
    const away = await Promise.race([this.#try(), stop.opened]);
    signal?.removeEventListener('abort', onAbort);
    if (away !== undefined) throw away;
  }

  /** The same without waiting: whoever asks next is told how it went. */
  inBackground(): void {
    if (this.#away === undefined) return;
    void this.#try();
    throw this.#away;
  }

  giveUp(): void {
    this.#isOver = true;
    this.#away = undefined;
  }

  async #try(signal?: AbortSignal): Promise<PagefaultError | undefined> {
    try {
      await this.#life.open(signal);
      this.#away = undefined;
      return undefined;
    } catch (error) {
      const away = this.#life.name('open', error);
      if (!this.#isOver) this.#away = away;
      return away;
    }
  }
}

function gate<T>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open = (_: T): void => undefined;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open: (value) => open(value) };
}
