import { setTimeout as wait } from 'node:timers/promises';
import { PagefaultError, type Instant, type Milliseconds } from '@pagefault/contracts';

/** Time and chance, passed in so that tests decide them. */
export interface Timing {
  now(): Instant;
  /** In [0, 1). */
  random(): number;
  /** Rejects with `E_ABORTED` when the signal fires. */
  sleep(span: Milliseconds, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock and chance. */
export const SYSTEM_TIMING: Timing = {
  now: () => Date.now(),
  random: () => Math.random(),
  // The timer takes its abort listener off again, so one long-lived signal serves any number of waits.
  sleep: (span, signal) =>
    wait(span, undefined, signal === undefined ? {} : { signal }).catch((cause: unknown) => {
      throw aborted(cause);
    }),
};

export interface RetryOptions {
  /** Tries in all, the first included. */
  readonly attempts: number;
  /** No try starts after this instant, and no wait goes past it. */
  readonly deadline?: Instant;
  readonly signal?: AbortSignal;
  /** The wait after the first failure, doubled after each further one, up to `most`. Default 500 ms and 30 s. */
  readonly delay?: { readonly first: Milliseconds; readonly most: Milliseconds };
  /** Default: errors of ours that say so. */
  isRetryable?(error: unknown): boolean;
  /** How long the other side asks us to wait, from `parseRetryAfter`. It goes before the back-off. */
  retryAfter?(error: unknown): Milliseconds | undefined;
}

const DEFAULT_DELAY = { first: 500, most: 30_000 };

/**
 * Runs `work` until it succeeds, fails for good, or tries or time run out; then the last error is thrown
 * as it is. Waits between tries with exponential back-off and jitter. Adds no listener to `signal` that
 * outlives a wait. Errors: those of `work`, and `E_ABORTED`.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  options: RetryOptions,
  timing: Timing = SYSTEM_TIMING,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    refuseAborted(options.signal);
    try {
      return await work(attempt);
    } catch (error) {
      const pause = nextPause(error, attempt, options, timing);
      if (pause === undefined) throw error;
      await timing.sleep(pause, options.signal);
    }
  }
}

/** How long to wait before the next try; undefined when there is none. */
export function nextPause(
  error: unknown,
  attempt: number,
  options: RetryOptions,
  timing: Timing,
): Milliseconds | undefined {
  const isRetryable = options.isRetryable ?? saysRetryable;
  if (attempt >= options.attempts || !isRetryable(error)) return undefined;
  const pause = Math.ceil(askedOrBackedOff(error, attempt, options, timing.random()));
  const late = options.deadline !== undefined && timing.now() + pause >= options.deadline;
  return late ? undefined : pause;
}

// Jitter only lengthens what the other side asked for, and halves at most what we chose ourselves.
function askedOrBackedOff(error: unknown, attempt: number, options: RetryOptions, chance: number): number {
  const asked = options.retryAfter?.(error);
  if (asked !== undefined) return asked * (1 + chance / 10);
  const { first, most } = options.delay ?? DEFAULT_DELAY;
  return Math.min(first * 2 ** (attempt - 1), most) * (0.5 + chance / 2);
}

function saysRetryable(error: unknown): boolean {
  return PagefaultError.is(error) && error.retryable;
}

/** Errors: `E_ABORTED`. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw aborted(signal.reason);
}

function aborted(cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', 'stopped by the caller', { cause });
}

/** The longest wait that we let another side impose. */
export const LONGEST_RETRY_AFTER: Milliseconds = 60_000;

/**
 * What `retry-after-ms` (milliseconds) or `retry-after` (seconds or an HTTP date) asks for, clamped to
 * 0 … `LONGEST_RETRY_AFTER`. Undefined when neither is there or readable.
 */
export function parseRetryAfter(
  header: (name: string) => string | null | undefined,
  now: Instant,
): Milliseconds | undefined {
  const span = readNumber(header('retry-after-ms')) ?? readSecondsOrDate(header('retry-after'), now);
  return span === undefined ? undefined : Math.min(Math.max(span, 0), LONGEST_RETRY_AFTER);
}

function readSecondsOrDate(value: string | null | undefined, now: Instant): Milliseconds | undefined {
  const seconds = readNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  // A bare negative or garbled number would otherwise be read as a year.
  const date = /[a-z]/i.test(value ?? '') ? Date.parse(value ?? '') : Number.NaN;
  return Number.isNaN(date) ? undefined : date - now;
}

function readNumber(value: string | null | undefined): number | undefined {
  return value !== undefined && value !== null && /^\s*\d+(\.\d+)?\s*$/.test(value)
    ? Number(value)
    : undefined;
}
