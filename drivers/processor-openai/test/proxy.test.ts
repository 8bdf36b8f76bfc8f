import { inspect } from 'node:util';
import type { ProcessorDriver } from '@pagefault/contracts';
import {
  type OpenAIDouble,
  type ProxyDouble,
  startOpenAIDouble,
  startProxy,
  type ProxyOptions,
} from '@pagefault/doubles';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOpenAIProcessor, type OpenAIProcessorOptions } from '../src/index.js';
import { collect, hello, instantTiming, replyOf } from './helpers.js';

let double: OpenAIDouble;
let proxy: ProxyDouble;
let processor: ProcessorDriver;

afterEach(async () => {
  vi.unstubAllEnvs();
  await processor.close();
  await proxy.close();
  await double.close();
});

/** The address leads nowhere: what answers was reached through the proxy. */
const NOWHERE = 'http://provider.invalid';

async function start(
  options: (url: string) => Partial<OpenAIProcessorOptions>,
  proxyOptions: Partial<ProxyOptions> = {},
): Promise<ProcessorDriver> {
  const busy = { kind: 'status', status: 429, headers: { 'retry-after': '7' } } as const;
  double = await startOpenAIDouble({
    apiKey: 'the-key',
    reply: (_, n) => (n % 2 === 0 ? { fault: busy } : { text: 'ok' }),
  });
  proxy = await startProxy({ to: double.origin, ...proxyOptions });
  processor = createOpenAIProcessor({
    model: 'gpt-4o',
    apiKey: 'the-key',
    baseURL: NOWHERE,
    timing: instantTiming(),
    ...options(proxy.url),
  });
  await processor.open();
  return processor;
}

const withUser = (url: string, user: string): string => url.replace('//', `//${user}@`);

describe('a proxy (E13)', () => {
  it('is gone through when it is told of, with the headers of the caller, and left without a socket', async () => {
    const timing = instantTiming();
    const driver = await start((url) => ({ proxy: url, timing, headers: { 'x-team': 'alpacas' } }));
    expect((await replyOf(driver.infer(hello))).parts).toEqual([{ type: 'text', text: 'ok' }]);
    expect(new Set(proxy.tunnels)).toEqual(new Set(['provider.invalid:80']));
    expect(double.requests.map(({ headers }) => headers['x-team'])).toEqual(['alpacas', 'alpacas']);
    // The headers of the answer are of the agent's own class.
    expect(timing.slept).toEqual([7_000]);
    await driver.close();
    await vi.waitFor(() => expect([proxy.connections(), double.connections()]).toEqual([0, 0]));
  });

  it('is told name and password; of a wrong one nothing is shown, and nothing is tried again', async () => {
    const credentials = 'ada:open%20sesame';
    const driver = await start((url) => ({ proxy: withUser(url, credentials) }), {
      credentials: decodeURIComponent(credentials),
    });
    expect((await replyOf(driver.infer(hello))).reason).toBe('stop');
    await driver.close();

    const wrong = createOpenAIProcessor({
      model: 'gpt-4o',
      apiKey: 'the-key',
      baseURL: NOWHERE,
      proxy: withUser(proxy.url, 'ada:wrong-password'),
    });
    await wrong.open();
    const tried = proxy.tunnels.length;
    const error: unknown = await collect(wrong.infer(hello)).catch((thrown: unknown) => thrown);
    await wrong.close();
    expect(error).toMatchObject({
      code: 'E_AUTH',
      retryable: false,
      hint: expect.stringMatching('option proxy'),
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toMatch(/wrong-password|sesame/);
    expect(proxy.tunnels.length - tried).toBe(1);
  });

  it('is taken from the environment when that is asked for, and NO_PROXY with it', async () => {
    const driver = await start((url) => {
      for (const name of ['HTTP_PROXY', 'http_proxy']) vi.stubEnv(name, url);
      for (const name of ['NO_PROXY', 'no_proxy']) vi.stubEnv(name, '127.0.0.1');
      return { proxy: 'environment' };
    });
    expect((await replyOf(driver.infer(hello))).reason).toBe('stop');
    const through = proxy.tunnels.length;
    expect(through).toBeGreaterThan(0);
    const near = createOpenAIProcessor({
      model: 'gpt-4o',
      apiKey: 'the-key',
      baseURL: double.origin,
      proxy: 'environment',
      timing: instantTiming(),
    });
    await near.open();
    expect((await replyOf(near.infer(hello))).reason).toBe('stop');
    await near.close();
    expect(proxy.tunnels).toHaveLength(through);
  });

  it('is not looked for in the environment unasked', async () => {
    const driver = await start((url) => {
      for (const name of ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'https_proxy']) vi.stubEnv(name, url);
      return { baseURL: double.origin };
    });
    expect((await replyOf(driver.infer(hello))).reason).toBe('stop');
    expect(proxy.tunnels).toEqual([]);
  });

  it('that says nothing is waited for no longer than the idle time', async () => {
    const driver = await start((url) => ({ proxy: url, idleTimeout: 50, attempts: 1 }), { silent: true });
    await expect(collect(driver.infer(hello))).rejects.toMatchObject({ code: 'E_TIMEOUT' });
  });

  it('is refused at construction when its address is none', () => {
    const make = () => createOpenAIProcessor({ model: 'gpt-4o', apiKey: 'k', proxy: 'localhost:3128' });
    expect(make).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', message: expect.stringMatching('proxy') }),
    );
  });
});
