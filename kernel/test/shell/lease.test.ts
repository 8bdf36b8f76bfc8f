import { PagefaultError, type RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { describe, expect, it } from 'vitest';
import { gate, startKernel, startProcess, tell, withProcess } from '../support/stack.js';
import { keptOpen } from '../support/recall.js';

/** A store that several kernels share, with a clock that the test moves. */
function sharedStore(): { readonly recall: RecallDriver; pass(ms: number): void } {
  let now = 1_000_000;
  const base = keptOpen(createMemoryRecall({ now: () => now }));
  return { recall: { ...base, supports: { shared: true, durable: false } }, pass: (ms) => void (now += ms) };
}

describe('two kernels and one process', () => {
  it('the second is refused while the first holds the lease, with what to do', async () => {
    const { recall } = sharedStore();
    const first = await startProcess({ recall });
    const second = await startKernel({ recall });
    const process = await second.kernel.open(first.process.pid);
    await expect(process.send('hello')).rejects.toMatchObject({
      code: 'E_LEASE_LOST',
      retryable: true,
      hint: expect.any(String),
    });
    await second.kernel.close();
    await first.kernel.close();
  });

  it('the one that was paused too long cannot write over the one that took its place (C26, gap 3)', async () => {
    const { recall, pass } = sharedStore();
    const asked = gate();
    const late = gate();
    const first = await startProcess({
      recall,
      replies: async () => {
        asked.open();
        await late.opened;
        return tell('from the first');
      },
    });
    const sent = first.process.send({ text: 'hello', id: 'x' });
    const failed = expect(sent).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
    await asked.opened;
    pass(60_000);
    const started = await startKernel({ recall, replies: () => tell('from the second') });
    const second = withProcess(started, await started.kernel.open(first.process.pid));
    expect((await second.process.send({ text: 'hello', id: 'x' })).text).toBe('from the second');
    late.open();
    await failed;
    expect(JSON.stringify(await second.log())).not.toContain('from the first');
    await expect(first.process.send('more')).rejects.toMatchObject({ code: 'E_LEASE_LOST' });
    expect((await second.process.send('more')).text).toBe('from the second');
    await started.kernel.close();
    await first.kernel.close().catch((error: unknown) => expect(PagefaultError.is(error)).toBe(true));
  });

  it('a message may be delivered to a process that another kernel runs, and is answered there', async () => {
    const { recall } = sharedStore();
    const first = await startProcess({ recall });
    const second = await startKernel({ recall });
    const other = await second.kernel.spawn();
    expect((await other.send('hello')).outcome).toBe('answered');
    expect((await first.process.send('hello')).outcome).toBe('answered');
    await second.kernel.close();
    await first.kernel.close();
  });
});
