import type { ProcessorEvent } from '@pagefault/contracts';
import { endedEarly, heard, type Watch } from '@pagefault/driver-kit';
import { DRIVER_NAME, type Options } from '../options.js';
import type { ChatBody, ChatClient } from './api.js';
import { createAssembly, type Chunk } from './stream.js';

/** One try. */
export async function* readChat(
  client: ChatClient,
  body: ChatBody,
  options: Options,
  watch: Watch,
): AsyncGenerator<ProcessorEvent, void> {
  const request = { signal: watch.signal, maxRetries: 0, timeout: options.deadline };
  const stream = await watch.hear(client.chat.completions.create(body, request));
  const assembly = createAssembly(options.mintId, options.callsInText ? offeredIn(body) : undefined);
  let chunks = 0;
  for await (const chunk of heard(stream, watch)) {
    chunks += 1;
    yield* assembly.push((chunk ?? {}) as Chunk);
  }
  // The SDK ends a stream quietly when its signal fires.
  watch.signal.throwIfAborted();
  yield* assembly.end();
  const reply = assembly.reply();
  if (reply === undefined) throw endedEarly(DRIVER_NAME, 'finish_reason', chunks > 0);
  yield { type: 'finish', reply };
}

function offeredIn({ tools = [] }: ChatBody): ReadonlySet<string> {
  return new Set(tools.flatMap((tool) => (tool.type === 'function' ? [tool.function.name] : [])));
}
