/** Other platforms that sell the same models, by clients that the driver is given. */
import Anthropic from '@anthropic-ai/sdk';
import type { ProcessorDriver } from '@pagefault/contracts';
import { type AnthropicDouble, type MessagesRequest, startAnthropicDouble } from '@pagefault/doubles';
import { afterEach, describe, expect, it } from 'vitest';
import { createAnthropicProcessor } from '../src/index.js';
import { collect, hello, instantTiming, replyOf } from './helpers.js';

let double: AnthropicDouble;
let processor: ProcessorDriver;
afterEach(async () => {
  await processor.close();
  await double.close();
});

interface Asked {
  readonly path: string;
  readonly body: { readonly [key: string]: unknown };
}

/**
 * The official SDK as the packages for other platforms bend it: the model goes from the body into the address, and the
 * version of the API from a header into the body. A gateway takes it to the double, which speaks the plain form.
 */
function bentClient(addressOf: (model: string) => string, version: string, asked: Asked[]): Anthropic {
  const bent: typeof fetch = async (input, init) => {
    const sent = typeof init?.body === 'string' ? init.body : '{}';
    const { model, ...rest } = JSON.parse(sent) as MessagesRequest;
    asked.push({ path: addressOf(model), body: { ...rest, anthropic_version: version } });
    return fetch(input, init);
  };
  return new Anthropic({ apiKey: 'platform-token', baseURL: double.origin, fetch: bent, maxRetries: 5 });
}

const PLATFORMS = [
  {
    platform: 'Vertex',
    model: 'claude-haiku-4-5@20251001',
    version: 'vertex-2023-10-16',
    address: (model: string) =>
      `/projects/p/locations/l/publishers/anthropic/models/${model}:streamRawPredict`,
  },
  {
    platform: 'Bedrock',
    model: 'us.anthropic.claude-haiku-4-5-20251001-v1:0',
    version: 'bedrock-2023-05-31',
    address: (model: string) => `/model/${encodeURIComponent(model)}/invoke-with-response-stream`,
  },
];

describe.each(PLATFORMS)('$platform by an injected client', ({ model, version, address }) => {
  const start = async (faults = 0): Promise<{ asked: Asked[]; client: Anthropic }> => {
    double = await startAnthropicDouble({
      apiKey: 'platform-token',
      reply: (_, n) =>
        n < faults ? { fault: { kind: 'status', status: 529 } } : { thinking: 'hm', text: 'ok' },
    });
    const asked: Asked[] = [];
    const client = bentClient(address, version, asked);
    processor = createAnthropicProcessor({ model, client, timing: instantTiming(), thinking: 1_024 });
    await processor.open();
    return { asked, client };
  };

  it('takes the model by the name that it has there, with the facts of that model', async () => {
    const { asked } = await start();
    const { parts, reason } = await replyOf(processor.infer({ ...hello, maxOutput: 4_000 }));
    expect(reason).toBe('stop');
    expect(asked.map(({ path }) => path)).toEqual([address(model)]);
    expect(asked[0]?.body).toMatchObject({ anthropic_version: version, stream: true });
    expect(processor.supports).toMatchObject({ model, window: 200_000, maxOutput: 64_000 });
    // Thinking is of the model as it is called there, so that it is sent back to no other.
    expect(parts[0]).toMatchObject({ type: 'thinking', opaque: { model } });
  });

  it('is retried by the driver alone, whatever the client is set to (C16)', async () => {
    const { asked } = await start(9);
    await expect(collect(processor.infer(hello))).rejects.toMatchObject({ code: 'E_OVERLOADED' });
    expect(asked).toHaveLength(4);
  });

  it('is the caller’s: it works on when the driver is closed', async () => {
    const { client } = await start();
    await processor.close();
    const message = await client.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: 'user', content: 'still there?' }],
    });
    expect(message.content.at(-1)).toMatchObject({ type: 'text', text: 'ok' });
  });
});
