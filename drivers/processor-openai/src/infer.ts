import type { ProcessorEvent } from '@pagefault/contracts';
import {
  endedEarly,
  fromOpenAIError,
  heard,
  inferStream,
  secretsOf,
  type Watch,
} from '@pagefault/driver-kit';
import type { ChatBody, ChatClient } from './chat.js';
import { DRIVER_NAME, type Options } from './options.js';
import { createAssembly, type Chunk } from './stream.js';

/** One inference, with its tries. */
export function inferChat(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  callers: readonly AbortSignal[],
): AsyncGenerator<ProcessorEvent, void> {
  const toError = (error: unknown) => fromOpenAIError(error, DRIVER_NAME, secretsOf(options));
  const settings = { ...options, driver: DRIVER_NAME, toError };
  return inferStream((watch) => readReply(client, body, options, watch), settings, callers);
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
  if (reply === undefined) throw endedEarly(DRIVER_NAME, 'finish_reason');
  yield { type: 'finish', reply };
}
