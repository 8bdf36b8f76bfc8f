import type { PageId } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { Harness } from '../support/harness.js';
import { messageContent } from '../support/count.js';
import { call, calls, looksUp, says, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

const BUDGET = 1_560;

function evictedBy(harness: Harness): PageId[] {
  return harness.observed('page-evicted').map(({ page }) => page);
}

function untilFlush(harness: Harness, size = 150): void {
  const before = harness.observed('flush-finished').length;
  while (harness.observed('flush-finished').length === before) harness.send(textOf(size));
}

describe('a flush', () => {
  it('evicts whole pages down to half the budget, oldest first', () => {
    const harness = new Harness();
    untilFlush(harness);
    const evicted = evictedBy(harness);
    expect(evicted).toEqual(evicted.map((_, index) => index + 1));
    const { after = 0, before = 0 } = harness.observed('flush-finished')[0] ?? {};
    expect(before).toBeGreaterThan(BUDGET);
    expect(after).toBeLessThan(BUDGET * 0.5);
    // The summary may take 15 % on top of what the flush left.
    expect(harness.requests.at(-1)?.tokens).toBeLessThanOrEqual(BUDGET * 0.5 + 20);
  });

  it('puts the summary at the head of the queue', () => {
    const harness = new Harness();
    untilFlush(harness);
    const [first] = harness.lastMessages();
    expect(first?.id).toBe('summary');
    expect(first && messageContent(first)).toMatch(/^\[Summary of \d+ earlier messages/);
  });

  it('keeps a call and its results together (A01, A02, A04, A05)', () => {
    const harness = new Harness({
      limits: { thrashLimit: 100 },
      reply: (_, n) =>
        n % 3 === 2
          ? tells('done')
          : calls(call('read', { n, request_heartbeat: true }), call('read', { m: n })),
      tool: () => ({ text: textOf(60) }),
    });
    for (let n = 0; n < 12; n++) harness.send(textOf(60));
    expect(evictedBy(harness).length).toBeGreaterThan(10);
    for (const { request } of harness.requests) {
      const made = request.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'call' ? [part.callId] : [])),
      );
      const done = request.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'result' ? [part.callId] : [])),
      );
      expect(done).toEqual(made);
    }
  });

  it('keeps the last exchanges, as many as the limit says', () => {
    const harness = new Harness({ limits: { keepExchanges: 2, targetShare: 0.01 } });
    untilFlush(harness, 100);
    const users = harness.lastMessages().filter(({ role }) => role === 'user');
    expect(users).toHaveLength(2);
  });

  it('keeps fewer exchanges under pressure, and the last user message always (A44)', () => {
    const harness = new Harness({ limits: { keepExchanges: 4, oversizedShare: 1 } });
    for (let n = 0; n < 3; n++) harness.send(textOf(440));
    harness.send(textOf(700, 'last'));
    const users = harness.lastMessages().filter(({ role }) => role === 'user');
    expect(users.length).toBeLessThan(4);
    expect(users.map(messageContent).at(-1)).toContain('last');
  });

  it('in the middle of a turn keeps the question that the turn is about (A54)', () => {
    const harness = new Harness({
      limits: { keepExchanges: 0, thrashLimit: 100 },
      reply: (_, n) => (n < 12 ? looksUp('read', { n }) : tells('done')),
      tool: () => ({ text: textOf(300) }),
    });
    expect(harness.send('the question').outcome).toBe('answered');
    expect(evictedBy(harness).length).toBeGreaterThan(3);
    for (const { request } of harness.requests) {
      expect(request.messages.filter(({ role }) => role === 'user').map(messageContent)).toEqual([
        'the question',
      ]);
    }
  });

  it('leaves alone what came after the cut (A43)', () => {
    const harness = new Harness();
    untilFlush(harness);
    const evicted = new Set(evictedBy(harness));
    const resident = harness.state.pages.map(({ id }) => id);
    expect(resident).toEqual(
      Array.from({ length: harness.state.head.lastPage }, (_, i) => i + 1).filter((id) => !evicted.has(id)),
    );
  });

  it('makes progress or says why not, with little that may be cut (A45)', () => {
    const harness = new Harness({ window: 700, limits: { keepExchanges: 3, oversizedShare: 1 } });
    for (let n = 0; n < 6; n++) {
      const { outcome } = harness.send(textOf(150));
      expect(outcome).toBe('answered');
    }
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
  });

  it('does not come again with nothing new: the summary is not summarised (A50)', () => {
    const harness = new Harness();
    untilFlush(harness);
    const summary = harness.state.summary?.text;
    for (let n = 0; n < 4; n++) harness.reload();
    harness.send('hi');
    expect(harness.summaries).toHaveLength(1);
    expect(harness.state.summary?.text).toBe(summary);
  });

  it('does not ask for a summary when only notices leave', () => {
    const harness = new Harness({ limits: { keepExchanges: 0 } });
    untilFlush(harness);
    const noticeOnly = harness.summaries.every(({ messages }) =>
      messages.every(({ notice }) => notice === undefined),
    );
    expect(noticeOnly).toBe(true);
  });
});

describe('an oversized part', () => {
  it('of a user message becomes a stub when it arrives, in the commit that stores the original', () => {
    const harness = new Harness();
    const text = textOf(5_000, 'book');
    expect(harness.send(text).outcome).toBe('answered');
    const shown = harness.lastMessages().find(({ role }) => role === 'user');
    expect(shown && messageContent(shown)).toMatch(
      /^book .*\n\[paged out: 19,984 characters, handle m1; read them with page_in\]\n.*book/s,
    );
    expect(messageContent(harness.store.message(1))).toBe(text);
    expect(harness.observed('flush-finished')).toEqual([]);
  });

  it('of a tool result becomes a stub, and the call keeps its result (gap 1)', () => {
    const harness = new Harness({
      reply: (_, n) => (n === 0 ? looksUp('read') : tells('done')),
      tool: () => ({ text: textOf(50_000, 'log') }),
    });
    expect(harness.send('read').outcome).toBe('answered');
    const result = harness.requests[1]?.request.messages.find(({ role }) => role === 'tool');
    expect(result && messageContent(result)).toContain('handle m3');
    expect(messageContent(harness.store.message(3))).toHaveLength(199_984);
  });

  it('of the model itself is left whole in its own turn', () => {
    const harness = new Harness({ maxOutput: 500, reply: () => tells(textOf(450)) });
    harness.send('tell me everything');
    harness.send('and then?');
    const said = harness.requests[1]?.request.messages.find(({ role }) => role === 'assistant');
    expect(said && messageContent(said)).not.toContain('paged_out');
  });

  it('of a fed transcript becomes a stub whoever said it', () => {
    const harness = new Harness();
    harness.feed(textOf(500, 'long'), 'assistant');
    expect(harness.lastMessages().map(messageContent).join()).toContain('handle m1');
  });

  it('that memory put back is never a stub: it was cut to its room already', () => {
    const harness = new Harness({
      reply: (_, n) => (n === 0 ? looksUp('page_in') : tells('done')),
      tool: () => ({ text: textOf(400, 'window'), recalled: [{ handle: 'm1', from: 0, to: 1_600 }] }),
    });
    harness.send('read');
    const result = harness.requests[1]?.request.messages.find(({ role }) => role === 'tool');
    expect(result && messageContent(result)).not.toContain('paged out');
  });

  it('is told to the policy', () => {
    const told: unknown[] = [];
    const harness = new Harness({
      policy: () => ({
        id: 'spy',
        version: 1,
        configure: () => undefined,
        onBirth: ({ id }) => void told.push(['birth', id]),
        onNeed: () => undefined,
        onResidency: (...args) => void told.push(args),
        victims: () => [],
        snapshot: () => new Uint8Array(),
        restore: () => false,
      }),
    });
    harness.send(textOf(1_000));
    expect(told).toEqual([
      ['birth', 1],
      [1, 'stub', 'admission'],
      ['birth', 2],
    ]);
  });
});

describe('when no page may leave', () => {
  const lastResort = { window: 1_000, limits: { oversizedShare: 1, keepExchanges: 0 } } as const;

  it('the largest messages become stubs, the head and tail first', () => {
    const harness = new Harness(lastResort);
    expect(harness.send(textOf(2_000, 'huge')).outcome).toBe('answered');
    const user = harness.lastMessages().find(({ role }) => role === 'user');
    expect(user && messageContent(user)).toMatch(/^huge .*paged out: 7,984 characters/s);
    expect(harness.state.pages[0]?.messages[0]?.stub?.level).toBe(1);
  });

  it('then the handle alone', () => {
    const harness = new Harness({ ...lastResort, window: 700, instructions: textOf(440) });
    harness.send(textOf(2_000, 'huge'));
    expect(harness.state.pages[0]?.messages[0]?.stub?.level).toBe(2);
  });

  it('stubs are the same bytes after a load, at both levels', () => {
    for (const options of [lastResort, { ...lastResort, window: 700, instructions: textOf(440) }]) {
      const harness = new Harness({
        ...options,
        reply: (_, n) => (n === 1 ? looksUp('save', { text: textOf(60, 'ä"\n😀') }) : tells('done')),
      });
      harness.send(textOf(2_000, 'huge😀'));
      harness.send(textOf(900, 'next'));
      const live = harness.state;
      harness.reload();
      expect(harness.state.pages).toEqual(live.pages);
      expect(levels(harness)).toContain(options === lastResort ? 1 : 2);
    }
  });

  it('the summary shrinks', () => {
    const harness = new Harness({ summarise: () => 'a long story. '.repeat(40) });
    untilFlush(harness);
    const before = harness.state.summary?.text.length ?? 0;
    harness.reload({ instructions: textOf(1_400) });
    harness.send('hi');
    expect(harness.state.summary?.text.length).toBeLessThan(before);
    expect(harness.requests.at(-1)?.tokens).toBeLessThanOrEqual(BUDGET);
  });

  it('an error names the sizes, and a larger window helps (A46)', () => {
    const harness = new Harness({ instructions: textOf(1_600) });
    const result = harness.send('hello');
    expect(result.outcome).toBe('failed');
    expect(result.failure?.code).toBe('E_CONTEXT_IRREDUCIBLE');
    expect(result.failure?.message).toMatch(
      /the budget is 1560 \(window 2000 - output 400 - margin 40\).*system and blocks 1600.*queue/,
    );
    expect(result.failure?.hint).toMatch(/larger window/);
    expect(harness.requests).toEqual([]);
    harness.reload({ window: 4_000 });
    expect(harness.send('hello?').outcome).toBe('answered');
    expect(harness.lastMessages().filter(({ role }) => role === 'user')).toHaveLength(2);
  });

  it('with what cannot be cut alone too large, nothing is cut, evicted or forgotten in vain', () => {
    const harness = new Harness();
    untilFlush(harness);
    const { pages, summary } = harness.state;
    harness.reload({ instructions: textOf(1_600) });
    expect(harness.send('hello').failure?.code).toBe('E_CONTEXT_IRREDUCIBLE');
    expect(harness.state.pages.slice(0, -1).map(withoutTokens)).toEqual(pages.map(withoutTokens));
    expect(harness.state.summary?.text).toBe(summary?.text);
    expect(harness.observed('page-stubbed')).toEqual([]);
    expect(harness.summaries).toHaveLength(1);
  });

  it('a summary that shrank in vain is given back: its words are nowhere else', () => {
    const story = 'a long story. '.repeat(30).trim();
    const harness = new Harness({ summarise: () => story, limits: { keepExchanges: 0 } });
    untilFlush(harness);
    // Room for what cannot be cut, and for nothing of the queue.
    harness.reload({ instructions: textOf(1_515) });
    expect(harness.send('hello').failure?.code).toBe('E_CONTEXT_IRREDUCIBLE');
    expect(harness.state.summary?.text).toBe(story);
    harness.reload({ instructions: 'You remember.' });
    expect(harness.send('hello?').outcome).toBe('answered');
    expect(harness.lastMessages().map(messageContent).join()).toContain(story);
  });

  it('a too small window says so every time, and loses nothing', () => {
    const harness = new Harness({ instructions: textOf(1_600) });
    for (let n = 0; n < 5; n++) expect(harness.send(`message ${n}`).outcome).toBe('failed');
    expect(harness.store.log).toHaveLength(5);
  });

  it('a turn that was given up does not count against the next one', () => {
    const harness = new Harness({
      limits: { thrashLimit: 1, oversizedShare: 1 },
      reply: (_, n) => {
        if (n === 0) return { failure: { code: 'E_CONTEXT_OVERFLOW', message: 'too long' } };
        return n === 1 ? looksUp('read') : tells('done');
      },
      tool: () => ({ text: textOf(1_550) }),
    });
    expect(harness.send('hello').outcome).toBe('failed');
    expect(harness.send('read').outcome).toBe('answered');
  });

  it('cycles that each need a reclaim end the turn (A45, A46)', () => {
    const harness = new Harness({
      window: 1_200,
      limits: { oversizedShare: 1, keepExchanges: 0, targetShare: 1, thrashLimit: 3 },
      reply: (_, n) => looksUp('read', { n }),
      tool: () => ({ text: textOf(500) }),
    });
    const result = harness.send('read for ever');
    expect(result.outcome).toBe('thrashing');
  });
});

function withoutTokens({ id, messages }: Harness['state']['pages'][number]) {
  return { id, messages: messages.map(({ seq, message }) => ({ seq, message })) };
}

function levels(harness: Harness): (number | undefined)[] {
  return harness.state.pages.flatMap(({ messages }) => messages.map(({ stub }) => stub?.level));
}

describe('an overflow that the provider reports', () => {
  const overflow = { failure: { code: 'E_CONTEXT_OVERFLOW', message: 'too long' } } as const;

  it('raises the calibration, reclaims, and is tried once more', () => {
    const harness = new Harness({ reply: (_, n) => (n === 6 ? overflow : says('ok')) });
    for (let n = 0; n < 7; n++) expect(harness.send(textOf(150)).outcome).toBe('answered');
    const [refused, again] = harness.requests.slice(6);
    expect(harness.state.head.calibration).toBeGreaterThan(1_000);
    expect(again?.request.messages.length).toBeLessThan(refused?.request.messages.length ?? 0);
    expect(again?.tokens).toBeLessThanOrEqual(BUDGET);
  });

  it('ends the turn the second time (C18)', () => {
    const harness = new Harness({ reply: (_, n) => (n >= 6 ? overflow : says('ok')) });
    for (let n = 0; n < 6; n++) harness.send(textOf(150));
    const result = harness.send('once more');
    expect(result).toMatchObject({ outcome: 'failed', failure: { code: 'E_CONTEXT_OVERFLOW' } });
    expect(harness.requests).toHaveLength(8);
  });

  it('that was wrong does not leave the process unusable', () => {
    let lying = true;
    const harness = new Harness({ reply: () => (lying ? overflow : says('ok')) });
    for (let n = 0; n < 3; n++) expect(harness.send('hello').outcome).toBe('failed');
    lying = false;
    expect(harness.send('hello').outcome).toBe('answered');
  });
});
