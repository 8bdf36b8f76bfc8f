/** Azure by its own client, which the driver is given. */
import type { ProcessorDriver } from '@pagefault/contracts';
import { type OpenAIDouble, startOpenAIDouble } from '@pagefault/doubles';
import { AzureOpenAI } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../src/index.js';
import { collect, hello, instantTiming, replyOf } from './helpers.js';

let double: OpenAIDouble;
let processor: ProcessorDriver;
afterEach(async () => {
  await processor.close();
  await double.close();
});

const VERSION = '2024-10-21';

async function start(
  basePath: string,
  options: Partial<OpenAIProcessorOptions>,
  access: { readonly deployment?: string; readonly apiKey?: string } = {},
): Promise<AzureOpenAI> {
  const answer = () => ({ text: 'ok' });
  double = await startOpenAIDouble({ reply: answer, respond: answer, basePath, apiKey: 'azure-key-1234' });
  const client = new AzureOpenAI({
    endpoint: double.origin,
    apiKey: 'azure-key-1234',
    apiVersion: VERSION,
    ...access,
  });
  processor = createOpenAIProcessor({ model: 'gpt-4o', client, timing: instantTiming(), ...options });
  await processor.open();
  return client;
}

describe('Azure by an injected client', () => {
  it('is asked at the address of the deployment that the client names, with its version and its key header', async () => {
    await start('/openai/deployments/alpaca-chat', {}, { deployment: 'alpaca-chat' });
    expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
    const [sent] = double.requests;
    expect(sent?.path).toBe(`/openai/deployments/alpaca-chat/chat/completions?api-version=${VERSION}`);
    expect(sent?.headers).toMatchObject({ 'api-key': 'azure-key-1234' });
    expect(sent?.headers.authorization).toBeUndefined();
    expect(sent?.problems).toEqual([]);
  });

  it('else at the one that the option model names; the limits go by that name, or by options', async () => {
    await start('/openai/deployments/our-4o', { model: 'our-4o', window: 64_000 });
    await replyOf(processor.infer(hello));
    expect(double.requests[0]?.path).toMatch('/openai/deployments/our-4o/chat/completions?');
    expect(processor.supports).toMatchObject({ model: 'our-4o', window: 64_000 });
  });

  it('speaks Responses when told to: an injected client is asked by Chat Completions unless', async () => {
    await start('/openai', { api: 'responses', model: 'o3' });
    expect((await replyOf(processor.infer(hello))).reason).toBe('stop');
    expect(double.requests[0]?.path).toBe(`/openai/responses?api-version=${VERSION}`);
    expect(double.requests[0]?.problems).toEqual([]);
  });

  it('names no part of its key when that is wrong (E12)', async () => {
    await start('/openai/deployments/gpt-4o', {}, { apiKey: 'wrong-azure-key-9876' });
    const failed = collect(processor.infer(hello));
    await expect(failed).rejects.toMatchObject({ code: 'E_AUTH', retryable: false });
    await expect(failed).rejects.not.toThrow(/9876|wrong-az/);
  });

  it('is the caller’s: it works on when the driver is closed', async () => {
    const client = await start('/openai/deployments/gpt-4o', {});
    await replyOf(processor.infer(hello));
    await processor.close();
    const answer = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: 'still there?' }],
    });
    expect(answer.choices[0]?.message.content).toBe('ok');
  });
});
