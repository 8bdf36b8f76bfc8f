import type { ProcessorEvent } from '@pagefault/contracts';
import { endedEarly, heard, inferStream, secretsOf, type Watch } from '@pagefault/driver-kit';
import type { MessagesBody, MessagesClient } from './api.js';
import { toPagefaultError } from './errors.js';
import type { ServerEvent } from './heard-blocks.js';
import { DRIVER_NAME, type Options } from './options.js';
import { createAssembly } from './stream.js';

/** One inference, with its tries. */
export function inferMessages(
  client: MessagesClient,
  body: MessagesBody,
  options: Options,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  const toError = (error: unknown) => toPagefaultError(error, secretsOf(options));
  const settings = { ...options, driver: DRIVER_NAME, toError };
  return inferStream((watch) => readReply(client, body, options, watch), settings, callers);
}

async function* readReply(
  client: MessagesClient,
  body: MessagesBody,
  options: Options,
  watch: Watch,
): AsyncGenerator<ProcessorEvent, void> {
  const request = { signal: watch.signal, maxRetries: 0, timeout: options.deadline };
  const stream = await watch.hear(client.messages.create(body, request));
  const assembly = createAssembly(options.model, options.mintId);
  let events = 0;
  for await (const event of heard(stream, watch)) {
    events += 1;
    yield* assembly.push((event ?? {}) as ServerEvent);
  }
  // The SDK ends a stream quietly when its signal fires.
  watch.signal.throwIfAborted();
  const reply = assembly.reply();
  if (reply === undefined) throw endedEarly(DRIVER_NAME, 'stop_reason', events > 0);
  yield { type: 'finish', reply };
}
