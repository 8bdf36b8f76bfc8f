/** One request with its retries: texts in, vectors in the same order out. */
import type { PagefaultError } from '@pagefault/contracts';
import {
  fromOpenAIError,
  headerOf,
  parseRetryAfter,
  retry,
  secretsOf,
  startWatch,
} from '@pagefault/driver-kit';
import { readVectors } from './answer.js';
import type { EmbeddingsBody, EmbeddingsClient } from './client.js';
import { DRIVER_NAME, type Options } from './options.js';

export async function requestVectors(
  client: EmbeddingsClient,
  texts: readonly string[],
  options: Options,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { attempts, timing } = options;
  const deadline = timing.now() + options.deadline;
  const failure = (error: unknown): PagefaultError => fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
  try {
    return await retry(
      () => attempt(client, texts, options, signal, deadline - timing.now()),
      {
        attempts,
        deadline,
        signal,
        isRetryable: (error) => failure(error).retryable,
        retryAfter: (error) => parseRetryAfter(headerOf(error), timing.now()),
      },
      timing,
    );
  } catch (error) {
    throw failure(error);
  }
}

async function attempt(
  client: EmbeddingsClient,
  texts: readonly string[],
  options: Options,
  signal: AbortSignal,
  left: number,
): Promise<Float32Array[]> {
  const { idleTimeout, deadline, dimension } = options;
  const watch = startWatch({ driver: DRIVER_NAME, idle: idleTimeout, left, callers: [signal] });
  try {
    const request = { signal: watch.signal, maxRetries: 0, timeout: deadline };
    const answer = await watch.hear(client.embeddings.create(bodyOf(texts, options), request));
    return readVectors(answer, texts.length, dimension);
  } finally {
    watch.end();
  }
}

function bodyOf(texts: readonly string[], { model, shortenTo, extraBody }: Options): EmbeddingsBody {
  return {
    ...extraBody,
    model,
    input: [...texts],
    // The SDK's own default is base64, which compatible servers do not all know.
    encoding_format: 'float',
    ...(shortenTo === undefined ? {} : { dimensions: shortenTo }),
  };
}
