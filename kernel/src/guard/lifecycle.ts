/**
 * What every driver gets around it: open once (again after a failure), refuse before open and after close, honour the
 * abort signal, and let no error out that does not say which driver it came from.
 */
import type { DriverHead } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { ErrorCode } from '@pagefault/contracts';

type Status = 'new' | 'open' | 'closed';

export class Lifecycle {
  readonly #driver: DriverHead<string, unknown>;
  readonly #fallback: ErrorCode;
  #status: Status = 'new';
  #opening: Promise<void> | undefined;
  #closes = 0;
  #closing: Promise<void> | undefined;

  /** `fallback` is the code of an error that the driver did not name itself. */
  constructor(driver: DriverHead<string, unknown>, fallback: ErrorCode) {
    this.#driver = driver;
    this.#fallback = fallback;
  }

  async open(signal?: AbortSignal): Promise<void> {
    if (this.#status === 'open') return;
    this.#opening ??= this.#open(signal).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #open(signal?: AbortSignal): Promise<void> {
    const closes = this.#closes;
    await this.#named('open', () => this.#driver.open(signal));
    // One that was closed meanwhile stays closed.
    if (closes === this.#closes) this.#status = 'open';
  }

  async close(): Promise<void> {
    if (this.#status === 'closed') return;
    this.#closing ??= this.#close().finally(() => (this.#closing = undefined));
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#status = 'closed';
    this.#closes += 1;
    await this.#named('close', () => this.#driver.close());
  }

  /** Runs one operation of an open driver. */
  async call<T>(step: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    this.check(step, signal);
    return this.#named(step, work);
  }

  check(step: string, signal: AbortSignal | undefined): void {
    if (this.#status !== 'open') throw this.#notOpen(step);
    if (signal?.aborted) throw aborted(this.#driver.name, step, signal.reason);
  }

  #notOpen(step: string): PagefaultError {
    const state = this.#status === 'new' ? 'not open yet' : 'closed';
    return new PagefaultError('E_NOT_OPEN', `${this.#driver.name}.${step}: the driver is ${state}`, {
      driver: this.#driver.name,
      hint: this.#status === 'new' ? 'boot() opens the drivers; call it first' : 'boot a new kernel',
    });
  }

  async #named<T>(step: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.name(step, error);
    }
  }

  /** Errors of the contract pass; others get a code, and keep what caused them. */
  name(step: string, error: unknown): PagefaultError {
    if (PagefaultError.is(error)) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new PagefaultError(this.#fallback, `${this.#driver.name}.${step} failed: ${reason}`, {
      driver: this.#driver.name,
      cause: error,
    });
  }
}

export function aborted(driver: string, step: string, cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', `${driver}.${step}: stopped before it began`, { driver, cause });
}
