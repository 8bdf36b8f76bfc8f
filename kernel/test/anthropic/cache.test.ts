import type { Usage } from '@pagefault/contracts';
import { afterEach, describe, expect, it } from 'vitest';
import type { LayoutName } from '../../src/core/layout/registry.js';
import { extractive } from '../../src/summariser/extractive.js';
import { asks, startTalk, type Talk, tells } from './talk.js';

let talk: Talk;
afterEach(() => talk.close());

const say = (turn: number): string => `Turn ${turn}: ${'the alpaca was sheared today. '.repeat(12)}`;

interface Bill extends Usage {
  readonly requests: number;
  readonly flushes: number;
}

/** What a conversation costs, with an edit of a block every fourth turn. */
async function converse(cache: '5m' | 'off', layout: LayoutName): Promise<Bill> {
  talk = await startTalk({
    reply: (_, n) =>
      n % 5 === 3
        ? asks('core_memory_append', { name: 'human', content: ` Fact ${n}.` })
        : tells(`A fleece like that is rare. ${'Wool. '.repeat(20)}`),
    window: 12_288,
    layout,
    summariser: extractive,
    processorOptions: { cache },
  });
  const bill = { plain: 0, cached: 0, written: 0, output: 0 };
  for (let turn = 0; turn < 40; turn += 1) {
    expect((await talk.agent.send(say(turn))).outcome).toBe('answered');
  }
  const { counters } = await talk.agent.map();
  bill.cached = counters.cached;
  bill.plain = counters.input - counters.cached;
  expect(talk.refusals()).toEqual([]);
  const found = { ...bill, requests: talk.chats().length, flushes: counters.flushes };
  await talk.close();
  return found;
}

describe("a provider's prompt cache, with the marks where the layout places them", () => {
  it('serves most of the input under `stable`, through flushes and edits; without marks it serves nothing (A56, A57, A58)', async () => {
    const stable = await converse('5m', 'stable');
    const off = await converse('off', 'stable');
    const classic = await converse('5m', 'classic');
    expect(stable.flushes).toBeGreaterThanOrEqual(1);
    expect(off.cached).toBe(0);
    const share = ({ cached, plain }: Bill): number => cached / (cached + plain);
    expect(share(stable)).toBeGreaterThan(0.75);
    expect(share(stable)).toBeGreaterThan(share(classic));
  });

  it('marks at most four places, the last of them never behind what changes with each request (A58)', async () => {
    talk = await startTalk({ reply: () => tells('Wool.'), window: 12_288 });
    for (let turn = 0; turn < 6; turn += 1) await talk.agent.send(say(turn));
    for (const { messages, system, tools } of talk.chats()) {
      const all = [tools ?? [], system ?? [], ...messages.map(({ content }) => content)].flat() as object[];
      const marks = all.flatMap((block, at) => ('cache_control' in block ? [at] : []));
      expect(marks.length).toBeGreaterThanOrEqual(2);
      expect(marks.length).toBeLessThanOrEqual(4);
      expect(marks).not.toContain(all.length - 1);
    }
  });
});
