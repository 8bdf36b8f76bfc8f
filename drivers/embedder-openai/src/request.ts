/** One request with its retries: texts in, vectors in the same order out. */
import type { Bill, PagefaultError, Usage } from '@pagefault/contracts';
import {
  fromOpenAIError,
  headerOf,
  NO_USAGE,
  parseRetryAfter,
  reportedField,
  reportedTokens,
  retry,
  secretsOf,
  startWatch,
} from '@pagefault/driver-kit';
import { readVectors } from './answer.js';
import type { EmbeddingsBody, EmbeddingsClient } from './client.js';
import { DRIVER_NAME, type Options } from './options.js';

/** What one call of `embed` asks. */
export interface Server {
  readonly client: EmbeddingsClient;
  readonly options: Options;
  readonly signal: AbortSignal;
  readonly onBill: ((bill: Bill) => void) | undefined;
}

export async function requestVectors(server: Server, texts: readonly string[]): Promise<Float32Array[]> {
  const { options, signal } = server;
  const { attempts, timing } = options;
  const deadline = timing.now() + options.deadline;
  const failure = (error: unknown): PagefaultError => fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
  try {
    return await retry(
      () => attempt(server, texts, deadline - timing.now()),
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
  { client, options, signal, onBill }: Server,
  texts: readonly string[],
  left: number,
): Promise<Float32Array[]> {
  const { idleTimeout, deadline, dimension } = options;
  const watch = startWatch({ driver: DRIVER_NAME, idle: idleTimeout, left, callers: [signal] });
  try {
    const request = { signal: watch.signal, maxRetries: 0, timeout: deadline };
    const answer = await watch.hear(client.embeddings.create(bodyOf(texts, options), request));
    // Before the vectors are looked at: what cannot be used is billed, too.
    onBill?.({ usage: usageOf(answer) });
    return readVectors(answer, texts.length, dimension);
  } finally {
    watch.end();
  }
}

/** Embeddings have no output, and no cache. */
function usageOf(answer: unknown): Usage {
  const usage = reportedField(answer, 'usage');
  const plain = reportedTokens(usage, 'prompt_tokens') || reportedTokens(usage, 'total_tokens');
  return { ...NO_USAGE, plain };
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
