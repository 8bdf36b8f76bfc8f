import { PagefaultError, type Instant, type ProcessorEvent, type Reply } from '@pagefault/contracts';
import { fromOpenAIError, parseRetryAfter, retry, startWatch, type Watch } from '@pagefault/driver-kit';
import type { ChatBody, ChatClient } from './chat.js';
import { DRIVER_NAME, type Options } from './options.js';
import { createAssembly, type Chunk } from './stream.js';
import { NO_USAGE } from './usage.js';

/**
 * One inference. Failures are tried again only while no event was given out; what fails after that is
 * thrown, since the caller has shown a part of it.
 */
export async function* inferStream(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  const failure = (error: unknown): PagefaultError => fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
  let current: Attempt | undefined;
  try {
    current = await firstEvents(client, body, options, callers);
    yield* current.first;
    yield* current.rest;
  } catch (error) {
    const known = failure(error);
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

function firstEvents(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  callers: readonly AbortSignal[],
): Promise<Attempt> {
  const { timing, attempts } = options;
  const deadline = timing.now() + options.deadline;
  return withAnySignal(callers, (signal) =>
    retry(
      () => attempt(client, body, options, callers, deadline),
      {
        attempts,
        deadline,
        signal,
        isRetryable: (error) => fromOpenAIError(error, DRIVER_NAME, secretsOf(options)).retryable,
        retryAfter: (error) => parseRetryAfter(headerOf(error), timing.now()),
      },
      timing,
    ),
  );
}

/** One try up to its first event: from there on the same request is not sent again. */
async function attempt(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  callers: readonly AbortSignal[],
  deadline: Instant,
): Promise<Attempt> {
  const left = deadline - options.timing.now();
  const watch = startWatch({ driver: DRIVER_NAME, idle: options.idleTimeout, left, callers });
  const rest = readReply(client, body, options, watch);
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

async function* readReply(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  watch: Watch,
): AsyncGenerator<ProcessorEvent, void> {
  const request = { signal: watch.signal, maxRetries: 0, timeout: options.deadline };
  const stream = await watch.hear(client.chat.completions.create(body, request));
  const assembly = createAssembly(options.mintId);
  for await (const chunk of heard(stream, watch)) yield* assembly.push(chunk as Chunk);
  // The SDK ends a stream quietly when its signal fires.
  watch.signal.throwIfAborted();
  const reply = assembly.reply();
  if (reply === undefined) throw endedEarly();
  yield { type: 'finish', reply };
}

/** The items of `stream`, each within the watch's limits; whatever happens, the stream is closed. */
async function* heard<T>(stream: AsyncIterable<T>, watch: Watch): AsyncGenerator<T, void> {
  const iterator = stream[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await watch.hear(iterator.next());
      isDone = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a stream that hangs would hang here too. The signal has ended it where it listens.
    if (!isDone) iterator.return?.()?.then(undefined, () => undefined);
  }
}

function endedEarly(): PagefaultError {
  return new PagefaultError('E_PROTOCOL', `${DRIVER_NAME}: the stream ended without a finish_reason`, {
    driver: DRIVER_NAME,
    hint: 'the server or a proxy before it cut the answer: try again',
    retryable: true,
  });
}

export function secretsOf(options: Options): (string | undefined)[] {
  return [options.apiKey, ...Object.values(options.headers)];
}

function headerOf(error: unknown): (name: string) => string | null {
  const headers =
    typeof error === 'object' && error !== null && 'headers' in error ? error.headers : undefined;
  return (name) => (headers instanceof Headers ? headers.get(name) : null);
}

/** Runs `work` with one signal that fires with any of several, and leaves no listener on them. */
async function withAnySignal<T>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
  if (signals.some((signal) => signal.aborted)) abort();
  try {
    return await work(controller.signal);
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  }
}
