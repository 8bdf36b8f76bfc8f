import type { Instant, Milliseconds, PagefaultError, ProcessorEvent, Reply } from '@pagefault/contracts';
import { nextPause, parseRetryAfter, refuseAborted, type RetryOptions, type Timing } from '../retry.js';
import { withAnySignal } from '../signals.js';
import { headerOf } from './sdk-error.js';
import { NO_USAGE } from './usage.js';
import { startWatch, type Watch } from '../watch.js';

export interface InferSettings {
  /** The driver's name, for errors. */
  readonly driver: string;
  /** For one inference with all its tries. */
  readonly deadline: Milliseconds;
  readonly idleTimeout: Milliseconds;
  /** In all, the first included. */
  readonly attempts: number;
  readonly timing: Timing;
  /** An error of the SDK, the network or the stream as one of ours. */
  toError(error: unknown): PagefaultError;
}

/** One try: sends the request and gives the events of its answer, within the watch's limits. */
export type Try = (watch: Watch) => AsyncGenerator<ProcessorEvent, void>;

/**
 * One inference. Failures are tried again only while nothing of an answer was given out; what fails after that is thrown,
 * since the caller has shown a part of it. Usage that is told before is no part of an answer: it is told with its try, for
 * each is billed by itself.
 */
export async function* inferStream(
  send: Try,
  settings: InferSettings,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  const { timing, toError } = settings;
  const deadline = timing.now() + settings.deadline;
  const policy = retryPolicy(settings, deadline);
  for (let attempt = 1; ; attempt += 1) {
    let isGivenOut = false;
    try {
      for (const signal of callers) refuseAborted(signal);
      for await (const event of oneTry(send, settings, callers, deadline)) {
        isGivenOut ||= event.type !== 'usage';
        yield numbered(event, attempt);
      }
      return;
    } catch (error) {
      const pause = isGivenOut ? undefined : nextPause(error, attempt, policy, timing);
      if (pause === undefined) {
        yield* refusedOrThrown(toError(error), isGivenOut);
        return;
      }
      await withAnySignal(callers, (signal) => timing.sleep(pause, signal)).catch((stopped: unknown) => {
        throw toError(stopped);
      });
    }
  }
}

function retryPolicy({ toError, attempts, timing }: InferSettings, deadline: Instant): RetryOptions {
  return {
    attempts,
    deadline,
    isRetryable: (error) => toError(error).retryable,
    retryAfter: (error) => parseRetryAfter(headerOf(error), timing.now()),
  };
}

/** Whatever happens, its request is ended: also when the caller does not want the rest. */
async function* oneTry(
  send: Try,
  { driver, idleTimeout: idle, timing }: InferSettings,
  callers: readonly AbortSignal[],
  deadline: Instant,
): AsyncGenerator<ProcessorEvent, void> {
  const watch = startWatch({ driver, idle, left: deadline - timing.now(), callers });
  const events = send(watch);
  try {
    yield* events;
  } finally {
    watch.end();
    await events.return();
  }
}

function numbered(event: ProcessorEvent, attempt: number): ProcessorEvent {
  const isCounted = event.type === 'usage' || event.type === 'finish';
  return isCounted && attempt > 1 ? { ...event, attempt } : event;
}

/** The provider's filter declined the prompt: for the process, the same as a model that declines. */
const REFUSED: Reply = { parts: [], reason: 'refused', usage: NO_USAGE };

function* refusedOrThrown(error: PagefaultError, isGivenOut: boolean): Generator<ProcessorEvent, void> {
  if (error.code !== 'E_REFUSED' || isGivenOut) throw error;
  yield { type: 'finish', reply: REFUSED };
}
