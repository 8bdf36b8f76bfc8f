/** What copied keys, copied addresses and half-compatible servers come to. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../src/index.js';
import { collect, hello, instantTiming, replyOf } from './helpers.js';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function on(answer: (response: ServerResponse) => void, options: Partial<OpenAIProcessorOptions> = {}) {
  const seen: { path: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ path: request.url ?? '', key: request.headers.authorization });
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const processor = createOpenAIProcessor({
    model: 'gpt-4o',
    apiKey: 'k',
    attempts: 2,
    timing: instantTiming(),
    ...options,
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.baseURL ?? ''}`,
  });
  await processor.open();
  closing.push(() => {
    void processor.close();
    server.closeAllConnections();
    server.close();
  });
  return { processor, seen };
}

const plain = (type: string, body: string) => (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': type }).end(body);
const stream = (...chunks: unknown[]) =>
  plain('text/event-stream', chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''));
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] };

describe('an answer that is no stream', () => {
  it.each([
    ['a web page', plain('text/html', '<html>Sign in</html>')],
    ['one JSON document', plain('application/json', '{"choices":[{"message":{"content":"Hi"}}]}')],
    ['nothing', plain('text/event-stream', '')],
  ])('points to the address: %s', async (_title, answer) => {
    for (const api of ['chat', 'responses'] as const) {
      const { processor } = await on(answer, { api });
      await expect(collect(processor.infer(hello))).rejects.toMatchObject({
        code: 'E_PROTOCOL',
        message: expect.stringMatching('no stream of events'),
        hint: expect.stringMatching('option baseURL'),
      });
    }
  });
});

describe('a stream of a half-compatible server', () => {
  it.each([
    ['empty and null chunks', [null, {}, { choices: [] }, { choices: [{ delta: { content: 'Hi' } }] }, stop]],
    ['a whole message at once', [{ choices: [{ message: { content: 'Hi' }, finish_reason: 'stop' }] }]],
    [
      'content in a list of parts',
      [{ choices: [{ delta: { content: [{ type: 'text', text: 'H' }, null, { text: 'i' }] } }] }, stop],
    ],
  ])('is read all the same: %s', async (_title, chunks) => {
    const { processor } = await on(stream(...chunks));
    expect((await replyOf(processor.infer(hello))).parts).toEqual([{ type: 'text', text: 'Hi' }]);
  });
});

describe('what was copied', () => {
  it('may be a key with white space around it', async () => {
    const { processor, seen } = await on(stream(stop), { apiKey: ' sk-abc\n' });
    await collect(processor.infer(hello));
    expect(seen[0]?.key).toBe('Bearer sk-abc');
  });

  it('may be an address with doubled slashes', async () => {
    const { processor, seen } = await on(stream(stop), { baseURL: '//v1//chat/completions/' });
    await collect(processor.infer(hello));
    expect(seen[0]?.path).toBe('/v1/chat/completions');
  });

  it.each<[string, Partial<OpenAIProcessorOptions>, RegExp]>([
    ['a key of two lines', { apiKey: 'sk-secret\n1' }, /apiKey.*copy it again/],
    ['a key with a typographic dash', { apiKey: 'sk–secret' }, /apiKey.*copy it again/],
    ['a key of white space', { apiKey: ' \n' }, /apiKey.*empty/],
    ['a header of two lines', { headers: { 'x-team': 'secret\r\nx-other: 1' } }, /headers.*line break/],
    ['no name of a header', { headers: { 'x team': 'a' } }, /headers.*allowed as a name/],
    ['a query', { baseURL: 'https://x.invalid/v1?api-version=1' }, /baseURL.*no query/],
    ['name and password', { baseURL: 'https://ada:secret@x.invalid/v1' }, /baseURL.*password/],
  ])('is refused before anything is sent, and not shown: %s', (_title, options, why) => {
    const make = () => createOpenAIProcessor({ model: 'gpt-4o', apiKey: 'k', ...options });
    expect(make).toThrow(expect.objectContaining({ code: 'E_CONFIG', message: expect.stringMatching(why) }));
    try {
      make();
    } catch (error) {
      expect(inspect(error, { depth: 5 })).not.toMatch('secret');
    }
  });
});

it('a used-up credit is no fault of the request', async () => {
  const { processor, seen } = await on((response) =>
    response
      .writeHead(402, { 'content-type': 'application/json' })
      .end('{"error":{"message":"Insufficient credits"}}'),
  );
  await expect(collect(processor.infer(hello))).rejects.toMatchObject({
    code: 'E_RATE_LIMITED',
    retryable: false,
    hint: expect.stringMatching('billing'),
  });
  expect(seen).toHaveLength(1);
});
