/** What a request becomes on the wire of OpenAI, and what the service would say against it. */
import type { InferRequest } from '@pagefault/contracts';
import { validateChatRequest } from '@pagefault/doubles';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';

export interface ChatBodies {
  problemsOf(request: InferRequest): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Through the driver itself, with a client that notes the body and says nothing of interest. */
export async function chatBodies(): Promise<ChatBodies> {
  const bodies: unknown[] = [];
  const create = async (body: unknown) => {
    bodies.push(body);
    return chunks();
  };
  const processor = createOpenAIProcessor({ model: 'gpt-4o', client: { chat: { completions: { create } } } });
  await processor.open();
  return {
    problemsOf: async (request) => {
      for await (const event of processor.infer(request)) if (event.type === 'finish') break;
      return validateChatRequest(bodies.pop());
    },
    close: () => processor.close(),
  };
}

async function* chunks() {
  const base = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'gpt-4o' } as const;
  yield { ...base, choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' as const }] };
}
