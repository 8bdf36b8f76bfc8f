/** Behaviours of the reference implementation's own tests, by their numbers, that no other test here is about. */
import type { PageView } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { fifo } from '../../src/policy/fifo.js';
import { messageContent } from '../support/count.js';
import { Harness } from '../support/harness.js';
import { call, calls, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

const wholeQueue = { keepExchanges: 0, targetShare: 0.01, oversizedShare: 1 } as const;

function flushes(harness: Harness): number {
  return harness.observed('flush-finished').length;
}

describe('compacting', () => {
  it('an empty queue, or one with the system text alone, changes nothing and does not fail (1, 2)', () => {
    const harness = new Harness({ limits: { ...wholeQueue, backgroundShare: 0.001, targetShare: 0.001 } });
    const before = harness.state;
    harness.drive({ type: 'idle', at: harness.now });
    expect(harness.state).toEqual(before);
    expect(harness.summaries).toEqual([]);
    expect(harness.send('hello').outcome).toBe('answered');
  });

  it('five messages leaves a summary of them (3)', () => {
    const harness = new Harness({ limits: { ...wholeQueue, backgroundShare: 0.01 } });
    for (let n = 0; n < 5; n++) harness.feed(textOf(40, `line${n}`));
    harness.drive({ type: 'idle', at: harness.now });
    expect(harness.state.summary?.messages).toBe(4);
    expect(harness.state.pages.map(({ id }) => id)).toEqual([5]);
  });

  it('one long result of a function, or two in one page, goes through (4, 5)', () => {
    for (const sizes of [[12_500], [6_250, 6_250]]) {
      const reading = calls(...sizes.map((size) => call('read', { size, request_heartbeat: true })));
      const harness = new Harness({
        reply: (_, n) => (n === 0 ? reading : tells('done')),
        tool: ({ arguments: json }) => ({ text: textOf((JSON.parse(json) as { size: number }).size) }),
      });
      expect(harness.send('read').outcome).toBe('answered');
      const results = harness.lastMessages().filter(({ role }) => role === 'tool');
      expect(results.map(messageContent).join()).toMatch(/paged out/);
      expect(results).toHaveLength(sizes.length);
      for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
    }
  });

  it('everything leaves the summary and the message that waits for its answer, and no more (6, 7, 11)', () => {
    const harness = new Harness({ limits: wholeQueue });
    while (flushes(harness) === 0) harness.send(textOf(150));
    const ids = harness.lastMessages().map(({ id, role }) => (role === 'user' ? 'user' : id));
    expect(ids).toEqual(['summary', 'user', 'tail']);
  });

  it('part of the queue leaves the summary and the newest messages (8)', () => {
    const harness = new Harness();
    while (flushes(harness) === 0) harness.send(textOf(100));
    const { pages, summary } = harness.state;
    expect(summary?.messages).toBeGreaterThan(0);
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.at(-1)?.id).toBe(harness.state.head.lastPage);
  });

  it('65 messages at a small target takes no more than there are, and ends (13, 14, 15)', () => {
    for (const targetShare of [0.1, 0.9, 1]) {
      const harness = new Harness({ window: 4_000, limits: { targetShare } });
      for (let n = 0; n < 65; n++) harness.feed(textOf(100, `m${n}`), n % 2 === 0 ? 'user' : 'assistant');
      for (const { victims, eligible } of harness.observed('reclaim'))
        expect(eligible).toEqual(expect.arrayContaining([...victims]));
      expect(flushes(harness)).toBeGreaterThan(0);
      expect(flushes(harness)).toBeLessThan(65);
      expect(harness.requests).toHaveLength(65);
    }
  });

  it('says what it freed: its figures are those of the requests around it (21)', () => {
    const harness = new Harness();
    while (flushes(harness) === 0) harness.send(textOf(150));
    const [{ evicted, before } = { evicted: 0, before: 0 }] = harness.observed('flush-finished');
    expect(before).toBeGreaterThan(harness.machine.budget.tokens);
    expect(evicted).toBe(harness.observed('page-evicted').length);
    expect(evicted).toBe(harness.state.head.counters.evicted);
  });

  it.each(['user', 'assistant'] as const)('works where all messages are of one role: %s (32, 33)', (role) => {
    const harness = new Harness();
    for (let n = 0; n < 40; n++) harness.feed(textOf(100, `m${n}`), role);
    expect(flushes(harness)).toBeGreaterThan(0);
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
    expect(harness.store.log).toHaveLength(40);
    expect(harness.send('hello').outcome).toBe('answered');
  });

  it('begins what it keeps with a user’s message, not in the middle of an exchange (29)', () => {
    const harness = new Harness({ limits: { keepExchanges: 2, targetShare: 0.01 } });
    while (flushes(harness) === 0) harness.send(textOf(100));
    const first = harness.lastMessages().find(({ id, notice }) => id !== 'summary' && !notice);
    expect(first?.role).toBe('user');
  });
});

describe('the cut', () => {
  const sizes = [4, 2, 8, 2, 2];
  const cutAt = (release: number, isEligible: (id: number) => boolean = () => true): number => {
    const policy = fifo();
    policy.configure({ capacity: 1_000, unit: 'tokens' });
    for (const [index, tokens] of sizes.entries()) {
      const id = index + 1;
      const page: PageView = { id, kind: 'user', tokens, firstSeq: id, lastSeq: id };
      policy.onBirth(page);
    }
    return policy.victims({ release, isEligible, step: 0 }).length;
  };

  it('takes the oldest until enough is freed, all when all must go, and none that is kept (36, 37, 38)', () => {
    expect(cutAt(10)).toBe(3);
    expect(cutAt(18)).toBe(5);
    expect(cutAt(10, (id) => id <= 2)).toBe(2);
  });
});

describe('a small window', () => {
  it.each([3_000, 4_000])(
    'of %i tokens outlives ten long messages: a summary comes, at the head, and the queue stops growing (40–43)',
    (window) => {
      const harness = new Harness({ window });
      const sizes: number[] = [];
      for (let n = 0; n < 40; n++) {
        expect(harness.send(textOf(500, `long${n}`)).outcome).toBe('answered');
        sizes.push(harness.state.pages.length);
      }
      expect(harness.lastMessages()[0]?.id).toBe('summary');
      expect(Math.max(...sizes.slice(20))).toBeLessThanOrEqual(Math.max(...sizes.slice(0, 20)));
    },
  );
});
