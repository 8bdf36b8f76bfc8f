import { type InferRequest, PagefaultError, type ProcessorEvent } from '@pagefault/contracts';
import { fromOpenAIError, inferStream, secretsOf, type Watch } from '@pagefault/driver-kit';
import { readChat } from './chat/infer.js';
import { toChatBody } from './chat/request.js';
import type { OpenAIClient } from './client.js';
import { DRIVER_NAME, type Options } from './options.js';
import { readResponse } from './responses/infer.js';
import { toResponsesBody } from './responses/request.js';

/** One inference, with its tries, by the API that the options name. */
export function inferBy(
  client: OpenAIClient,
  request: InferRequest,
  options: Options,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  const toError = (error: unknown) => fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
  return inferStream(
    sending(client, request, options),
    { ...options, driver: DRIVER_NAME, toError },
    callers,
  );
}

/** The body is made once: every try sends the same bytes. */
function sending(client: OpenAIClient, request: InferRequest, options: Options) {
  if (options.api === 'chat') {
    const body = toChatBody(request, options);
    return (watch: Watch) => readChat(client, body, options, watch);
  }
  const { responses } = client;
  if (responses === undefined) throw withoutResponses();
  const body = toResponsesBody(request, options);
  return (watch: Watch) => readResponse({ responses }, body, options, watch);
}

function withoutResponses(): PagefaultError {
  return new PagefaultError('E_CONFIG', `${DRIVER_NAME}.client: it has no "responses"`, {
    driver: DRIVER_NAME,
    hint: "give a client of the official SDK, or set api: 'chat'",
  });
}
