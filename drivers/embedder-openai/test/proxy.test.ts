import { inspect } from 'node:util';
import {
  type OpenAIDouble,
  type ProxyDouble,
  type ProxyOptions,
  startOpenAIDouble,
  startProxy,
} from '@pagefault/doubles';
import type { EmbedderDriver } from '@pagefault/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOpenAIEmbedder, type OpenAIEmbedderOptions } from '../src/index.js';

let double: OpenAIDouble;
let proxy: ProxyDouble;
const embedders: EmbedderDriver[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const embedder of embedders.splice(0)) await embedder.close();
  await proxy.close();
  await double.close();
});

/** The address leads nowhere: what answers was reached through the proxy. */
const NOWHERE = 'http://provider.invalid';

async function start(proxyOptions: Partial<ProxyOptions> = {}): Promise<void> {
  double = await startOpenAIDouble({ apiKey: 'the-key', embeddings: {} });
  proxy = await startProxy({ to: double.origin, ...proxyOptions });
}

async function opened(options: Partial<OpenAIEmbedderOptions>): Promise<EmbedderDriver> {
  const embedder = createOpenAIEmbedder({ apiKey: 'the-key', baseURL: NOWHERE, attempts: 1, ...options });
  embedders.push(embedder);
  await embedder.open();
  return embedder;
}

describe('a proxy (E13)', () => {
  it('is gone through when it is told of, with the headers of the caller, and left without a socket', async () => {
    await start();
    const embedder = await opened({ proxy: proxy.url, headers: { 'x-team': 'alpacas' } });
    expect(await embedder.embed(['alpacas', 'cars'])).toHaveLength(2);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['provider.invalid:80']));
    expect(double.requests.map(({ headers }) => headers['x-team'])).toEqual(['alpacas']);
    await embedder.close();
    await vi.waitFor(() => expect([proxy.connections(), double.connections()]).toEqual([0, 0]));
  });

  it('that refuses name and password is told of without them', async () => {
    await start({ credentials: 'ada:sesame' });
    const at = (credentials: string) => proxy.url.replace('//', `//${credentials}@`);
    expect(await (await opened({ proxy: at('ada:sesame') })).embed(['alpacas'])).toHaveLength(1);
    const wrong = await opened({ proxy: at('ada:wrong-password') });
    const error: unknown = await wrong.embed(['alpacas']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'E_AUTH',
      retryable: false,
      hint: expect.stringMatching('option proxy'),
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/wrong-password|sesame/);
  });

  it('is taken from the environment only when that is asked for', async () => {
    await start();
    for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, proxy.url);
    for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '');
    const unasked = await opened({ baseURL: double.origin });
    expect(await unasked.embed(['alpacas'])).toHaveLength(1);
    expect(proxy.tunnels).toEqual([]);
    const asked = await opened({ proxy: 'environment' });
    expect(await asked.embed(['alpacas'])).toHaveLength(1);
    expect(proxy.tunnels).toEqual(['provider.invalid:80']);
  });

  it('is refused at construction when its address is none', () => {
    expect(() => createOpenAIEmbedder({ apiKey: 'k', proxy: 'localhost:3128' })).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', message: expect.stringMatching('proxy') }),
    );
  });
});
