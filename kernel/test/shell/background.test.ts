import { describe, expect, it } from 'vitest';
import type { Summariser } from '../../src/index.js';
import { virtualClock } from '../../src/virtual-clock.js';
import { keptOpen, turnOfTheLoop } from '../support/recall.js';
import { gate, type Stack, startProcesses, type StackOptions } from '../support/stack.js';

const startProcess = startProcesses();

const IDLE_MS = 1_000;
const LONG = 'lorem ipsum dolor sit amet '.repeat(50);

/** A summariser that waits to be let go, and counts. */
function slowSummariser() {
  const [begun, finish] = [gate(), gate()];
  const asked: AbortSignal[] = [];
  const summariser: Summariser = {
    id: 'slow',
    summarise: async (_, signal) => {
      asked.push(signal);
      begun.open();
      await Promise.race([finish.opened, new Promise((_, stop) => signal.addEventListener('abort', stop))]);
      return 'What was said before.';
    },
  };
  return { summariser, asked, begun: begun.opened, finish: () => finish.open() };
}

/** A process on a virtual clock, filled above the background's share. */
async function filled(options: StackOptions = {}): Promise<Stack & { advance(ms: number): Promise<void> }> {
  const clock = virtualClock(1_000_000);
  const stack = await startProcess({ clock, window: 10_000, ...options, limits: { idleMs: IDLE_MS } });
  for (;;) {
    const { pressure, budget } = await stack.process.map();
    if (pressure > budget.tokens * 0.75) break;
    await stack.process.append([{ text: LONG }]);
  }
  return { ...stack, advance: (ms) => clock.advance(ms) };
}

describe('a process that is idle for as long as a prompt cache lives', () => {
  it('is reclaimed before it leaves memory, and its next turn finds room', async () => {
    const { kernel, process, processor, advance } = await filled();
    const passivated: string[] = [];
    kernel.bus.on('passivated', ({ pid }) => passivated.push(pid));
    await advance(3 * IDLE_MS);
    expect(passivated).toEqual([process.pid]);
    const { pressure, budget, counters, summary } = await process.map();
    expect(counters.flushes).toBe(1);
    expect(pressure).toBeLessThan(budget.tokens * 0.65);
    expect(summary.messages).toBeGreaterThan(0);
    expect(processor.requests).toEqual([]);
    expect((await process.send('hello')).outcome).toBe('answered');
  });

  it('is left alone when it is not full', async () => {
    const clock = virtualClock(1_000_000);
    const { process, kernel } = await startProcess({ clock, limits: { idleMs: IDLE_MS } });
    await process.append([{ text: LONG }]);
    await clock.advance(3 * IDLE_MS);
    expect(kernel.isRunning(process.pid)).toBe(false);
    expect((await process.map()).counters.flushes).toBe(0);
  });

  it('answers a message that comes meanwhile right after the summary, and stays', async () => {
    const { summariser, asked, begun, finish } = slowSummariser();
    const { kernel, process, recall, advance } = await filled({ summariser });
    const sweeping = advance(3 * IDLE_MS);
    await begun;
    expect(await kernel.passivate()).toBe(0);
    const sent = process.send('hello');
    await turnOfTheLoop();
    expect((await recall.load(process.pid, ['inbox'])).map(({ value }) => value)).toMatchObject([
      { kind: 'user' },
    ]);
    finish();
    expect((await sent).text).toBe('answer to: hello');
    await sweeping;
    expect(asked).toHaveLength(1);
    const { counters, summary } = await process.map();
    expect([counters.flushes, summary.text]).toEqual([1, 'What was said before.']);
    await kernel.settle();
  });

  it('is not summarised half when the kernel closes meanwhile: it stays as it was', async () => {
    const { summariser, begun } = slowSummariser();
    const recall = keptOpen();
    const { kernel, process, advance } = await filled({ summariser, recall });
    const sweeping = advance(3 * IDLE_MS);
    await begun;
    const before = await recall.load(process.pid, ['state']);
    await kernel.close();
    await sweeping;
    expect(await recall.load(process.pid, ['state'])).toEqual(before);
  });
});
