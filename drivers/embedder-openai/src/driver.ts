import { type EmbedderDriver, PagefaultError } from '@pagefault/contracts';
import {
  createSession,
  createTokenCounter,
  fromOpenAIError,
  refuseEmpty,
  secretsOf,
  withAnySignal,
} from '@pagefault/driver-kit';
import { createHash } from 'node:crypto';
import { connect } from './client.js';
import { embedTexts } from './embed.js';
import { DRIVER_NAME, type OpenAIEmbedderOptions, type Options, readOptions } from './options.js';

/** Changes when windows are cut or pooled otherwise: then the same text gets another vector. */
const POOLING = 'w1';

/**
 * Embeddings by OpenAI or a server that speaks its API. Vectors have length 1 and the order of the texts; a text over the
 * model's limit is cut into windows, whose vectors are averaged by their tokens.
 * Errors: `E_CONFIG` for options here; from `embed` `E_INVALID`, `E_NOT_OPEN`, `E_ABORTED`, `E_TIMEOUT`, `E_AUTH`,
 * `E_RATE_LIMITED`, `E_OVERLOADED`, `E_CONTEXT_OVERFLOW`, `E_REQUEST`, `E_DIMENSION`, `E_PROTOCOL`.
 */
export function createOpenAIEmbedder(input: OpenAIEmbedderOptions): EmbedderDriver {
  const options = readOptions(input);
  const counter = createTokenCounter('cl100k_base');
  const { dimension, maxTokens, model } = options;
  const session = createSession(
    DRIVER_NAME,
    () =>
      connect(options).catch((error: unknown) => {
        throw fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
      }),
    ({ end }) => end(),
  );

  return {
    kind: 'embedder',
    name: DRIVER_NAME,
    specVersion: 1,
    supports: Object.freeze({
      dimension,
      maxTokens,
      ...(options.price !== undefined && { price: options.price }),
      fingerprint: `${options.fingerprint ?? model}/${dimension}/${POOLING}${prefixMark(options)}`,
    }),

    open: () => session.open(),
    close: () => session.close(),

    async embed(texts, signal, purpose = 'document', onBill) {
      const { client, callers } = session.work('embed', signal);
      if (signal?.aborted === true) throw aborted(signal.reason);
      // Half a surrogate pair is no UTF-8, and servers refuse it.
      const asked = texts.map((text) => text.toWellFormed());
      refuseEmpty(DRIVER_NAME, asked);
      return withAnySignal(callers, (any) =>
        embedTexts({ client: client.sdk, options, onBill, signal: any }, asked, counter, purpose),
      );
    },
  };
}

/** Documents embedded with another prefix have other vectors. Questions are not kept. */
function prefixMark({ documentPrefix = '' }: Options): string {
  return documentPrefix === ''
    ? ''
    : `/${createHash('sha256').update(documentPrefix).digest('hex').slice(0, 8)}`;
}

function aborted(cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', `${DRIVER_NAME}: stopped by the caller`, {
    driver: DRIVER_NAME,
    cause,
  });
}
