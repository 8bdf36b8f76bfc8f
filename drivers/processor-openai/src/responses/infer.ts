import type { ProcessorEvent } from '@pagefault/contracts';
import { endedEarly, heard, type Watch } from '@pagefault/driver-kit';
import { DRIVER_NAME, type Options } from '../options.js';
import type { ResponsesBody, ResponsesClient } from './api.js';
import { createAssembly, type ResponseEvent } from './stream.js';

/** One try. */
export async function* readResponse(
  client: ResponsesClient,
  body: ResponsesBody,
  options: Options,
  watch: Watch,
): AsyncGenerator<ProcessorEvent, void> {
  const request = { signal: watch.signal, maxRetries: 0, timeout: options.deadline };
  const stream = await watch.hear(client.responses.create(body, request));
  const assembly = createAssembly(options.model, options.mintId);
  let events = 0;
  for await (const event of heard(stream, watch)) {
    events += 1;
    yield* assembly.push((event ?? {}) as ResponseEvent);
    assembly.check();
  }
  // The SDK ends a stream quietly when its signal fires.
  watch.signal.throwIfAborted();
  const reply = assembly.reply();
  if (reply === undefined) throw endedEarly(DRIVER_NAME, 'response.completed', events > 0);
  yield { type: 'finish', reply };
}
