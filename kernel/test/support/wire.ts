/** What a request becomes on the wire of each provider, and what its service would say against it. */
import type { InferRequest } from '@pagefault/contracts';
import { validateChatRequest, validateMessagesRequest } from '@pagefault/doubles';
import { createAnthropicProcessor } from '@pagefault/driver-processor-anthropic';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';

export interface Wire {
  /** Empty when both providers take it. */
  problemsOf(request: InferRequest): Promise<readonly string[]>;
  close(): Promise<void>;
}

const SEEN = 'seen enough';

/** Through the drivers themselves, with clients that note the body and answer nothing. */
export async function openWire(): Promise<Wire> {
  const bodies: unknown[] = [];
  const create = async (body: unknown): Promise<never> => {
    bodies.push(body);
    // For good: what might pass would be tried again.
    throw Object.assign(new Error(SEEN), { status: 400 });
  };
  const countTokens = async (): Promise<never> => {
    throw new Error('nothing is counted here');
  };
  const chat = createOpenAIProcessor({ model: 'gpt-4o', client: { chat: { completions: { create } } } });
  const messages = createAnthropicProcessor({
    model: 'claude-haiku-4-5',
    client: { messages: { create, countTokens } },
  });
  const providers = [
    { processor: chat, validate: validateChatRequest },
    { processor: messages, validate: (body: unknown) => validateMessagesRequest(body) },
  ];
  for (const { processor } of providers) await processor.open();
  return {
    problemsOf: async (request) => {
      const problems: string[] = [];
      for (const { processor, validate } of providers) {
        await read(processor.infer(request));
        problems.push(...validate(bodies.pop()).map((problem) => `${processor.name}: ${problem}`));
      }
      return problems;
    },
    close: async () => {
      for (const { processor } of providers) await processor.close();
    },
  };
}

async function read(stream: AsyncIterable<unknown>): Promise<void> {
  try {
    for await (const _ of stream) continue;
  } catch (error) {
    if (!String(error).includes(SEEN)) throw error;
  }
}
