import type { Instant, Milliseconds, PagefaultError, ProcessorEvent, Reply } from '@pagefault/contracts';
import { parseRetryAfter, retry, type Timing } from '../retry.js';
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
 * One inference. Failures are tried again only while no event was given out; what fails after that is
 * thrown, since the caller has shown a part of it.
 */
export async function* inferStream(
  send: Try,
  settings: InferSettings,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  let current: Attempt | undefined;
  try {
    current = await firstEvents(send, settings, callers);
    yield* current.first;
    yield* current.rest;
  } catch (error) {
    const known = settings.toError(error);
    if (known.code !== 'E_REFUSED' || current !== undefined) throw known;
    yield { type: 'finish', reply: REFUSED };
  } finally {
    await current?.end();
  }
}

/** The provider's filter declined the prompt: for the process, the same as a model that declines. */
const REFUSED: Reply = { parts: [], reason: 'refused', usage: NO_USAGE };

interface Attempt {
  readonly first: readonly ProcessorEvent[];
  readonly rest: AsyncGenerator<ProcessorEvent, void>;
  end(): Promise<void>;
}

function firstEvents(send: Try, settings: InferSettings, callers: readonly AbortSignal[]): Promise<Attempt> {
  const { timing, attempts } = settings;
  const deadline = timing.now() + settings.deadline;
  return withAnySignal(callers, (signal) =>
    retry(
      () => attempt(send, settings, callers, deadline),
      {
        attempts,
        deadline,
        signal,
        isRetryable: (error) => settings.toError(error).retryable,
        retryAfter: (error) => parseRetryAfter(headerOf(error), timing.now()),
      },
      timing,
    ),
  );
}

/** One try up to its first event: from there on the same request is not sent again. */
async function attempt(
  send: Try,
  { driver, idleTimeout, timing }: InferSettings,
  callers: readonly AbortSignal[],
  deadline: Instant,
): Promise<Attempt> {
  const watch = startWatch({ driver, idle: idleTimeout, left: deadline - timing.now(), callers });
  const rest = send(watch);
  const end = async (): Promise<void> => {
    watch.end();
    await rest.return();
  };
  try {
    const first = await rest.next();
    return { first: first.done === true ? [] : [first.value], rest, end };
  } catch (error) {
    watch.end();
    throw error;
  }
}
