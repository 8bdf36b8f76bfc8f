import { startOpenAIDouble } from '@pagefault/doubles';
import { start } from '@pagefault/wiring';
import { expect, it } from 'vitest';

const PASSAGES = ['Alpacas are shorn once a year, in spring.', 'Cork is a city in the south of Ireland.'];

it('a memory whose vectors come from a server finds by meaning, and goes on by text when the server is gone', async () => {
  let isGone = false;
  const fault = () => (isGone ? ({ kind: 'status', status: 400 } as const) : undefined);
  const double = await startOpenAIDouble({ embeddings: { fault } });
  const embedder = { driver: 'openai', baseURL: double.origin };
  const overrides = { recall: 'memory', archival: 'memory', processor: 'reflex', embedder };
  const machine = await start({ env: {}, overrides });
  try {
    const failures: unknown[] = [];
    machine.kernel.bus.on('index-failed', (failure) => failures.push(failure));
    const agent = await machine.kernel.spawn();
    await agent.archive(PASSAGES.map((text) => ({ text })));
    await machine.kernel.settle();
    const search = () => agent.search({ collection: 'passages', query: 'when are alpacas shorn' });
    expect((await search()).hits[0]?.text).toBe(PASSAGES[0]);
    expect(failures).toEqual([]);
    isGone = true;
    expect((await search()).hits[0]?.text).toBe(PASSAGES[0]);
    expect(failures).toHaveLength(1);
  } finally {
    await machine.close();
    await double.close();
  }
});
