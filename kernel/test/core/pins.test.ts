import { describe, expect, it } from 'vitest';
import { applyPin, pinnedPages } from '../../src/core/pins.js';
import { messageContent } from '../support/count.js';
import { Harness, type HarnessOptions } from '../support/harness.js';
import { call, calls, looksUp, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

// Window 2,000: a budget of 1,560, of which pins may take 468.
const PIN_LIMIT = 468;

/** The handle of the message that was sent last. */
function lastUserHandle(harness: Harness): string {
  const entry = harness.store.log.findLast(({ message }) => message.role === 'user');
  return `m${entry?.seq ?? 0}`;
}

function pin(harness: Harness, handle: string, kind: 'pin' | 'unpin' = 'pin'): void {
  harness.drive({ type: 'pin', at: harness.now, change: { kind, handle } });
}

/** Sends a text and pins it. */
function sendPinned(harness: Harness, text: string): void {
  harness.send(text);
  pin(harness, lastUserHandle(harness));
}

function pinned(harness: Harness): readonly number[] {
  return pinnedPages(harness.state).map(({ id }) => id);
}

function isShown(harness: Harness, text: string): boolean {
  return harness.lastMessages().some((message) => messageContent(message).includes(text));
}

function results(harness: Harness): readonly string[] {
  return harness.store.log.flatMap(({ message }) =>
    message.parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])),
  );
}

function untilFlush(harness: Harness, times: number): void {
  while (harness.observed('flush-finished').length < times) harness.send(textOf(130));
}

/** The model makes these calls, one a cycle, then answers. */
function calling(...wanted: readonly [name: string, args: object][]): HarnessOptions {
  return {
    reply: (_, n) => {
      const [name, args] = wanted[n] ?? ['', {}];
      return name === '' ? tells('done') : looksUp(name, args);
    },
  };
}

describe('a pinned page', () => {
  it('stays in the queue, whole, over many flushes', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(200, 'keep'));
    untilFlush(harness, 4);
    expect(isShown(harness, 'keep keep')).toBe(true);
    expect(isShown(harness, 'paged out')).toBe(false);
    expect(harness.observed('page-evicted').map(({ page }) => page)).not.toContain(1);
  });

  it('leaves like any other when it is unpinned', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(200, 'keep'));
    untilFlush(harness, 2);
    pin(harness, 'm1', 'unpin');
    untilFlush(harness, 3);
    expect(isShown(harness, 'keep keep')).toBe(false);
    expect(harness.state.summary?.messages).toBeGreaterThan(1);
  });

  it('is still pinned after a restart', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(200, 'keep'));
    harness.reload();
    expect(pinned(harness)).toEqual([1]);
    untilFlush(harness, 3);
    expect(isShown(harness, 'keep keep')).toBe(true);
  });

  it('is pinned by the model in the commit that holds the result of its call', () => {
    const harness = new Harness(calling(['pin', { handle: 'm1' }]));
    harness.send(textOf(100, 'keep'));
    const commit = harness.store.commits.find(({ puts }) =>
      puts?.some(({ key, value }) => key === 'head' && JSON.stringify(value).includes('"pins"')),
    );
    expect(commit?.appends?.[0]?.message.parts[0]).toMatchObject({
      type: 'result',
      name: 'pin',
      text: 'Pinned m1: pins take 100 of 468 tokens.',
    });
  });

  it('may be the result of page_in: the handle that was read names it', () => {
    const window = { text: textOf(120, 'window'), recalled: [{ handle: 'm1', from: 0, to: 480 }] };
    const harness = new Harness({
      ...calling(['page_in', { handle: 'm1' }], ['pin', { handle: 'm1' }]),
      tool: () => window,
    });
    harness.send(textOf(1_000, 'book'));
    expect(pinned(harness)).toEqual([2]);
    untilFlush(harness, 3);
    expect(isShown(harness, 'window window')).toBe(true);
    pin(harness, 'm1', 'unpin');
    expect(pinned(harness)).toEqual([]);
  });

  it('is shown as a stub before its pin is dropped, and only when nothing else is left', () => {
    const harness = new Harness({ limits: { keepExchanges: 0 } });
    sendPinned(harness, textOf(380, 'keep'));
    harness.send('short');
    expect(harness.state.pages[0]?.messages[0]?.stub).toBeUndefined();
    harness.reload({ instructions: textOf(1_200) });
    harness.send('hello');
    expect(harness.state.pages[0]?.messages[0]?.stub).toBeDefined();
    expect(pinned(harness)).toEqual([1]);
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
  });
});

describe('pins', () => {
  it('above their share of the budget are refused, with the sizes', () => {
    const harness = new Harness(calling(['pin', { handle: 'm1' }]));
    sendPinned(harness, textOf(300, 'first'));
    harness.send(textOf(200, 'second'));
    const change = { kind: 'pin', handle: lastUserHandle(harness) } as const;
    const result = applyPin(harness.state, harness.config, harness.machine.budget, change);
    expect(result).toMatchObject({ ok: false, code: 'E_PIN_LIMIT' });
    expect(result.text).toMatch(
      /^Refused: the page that shows m\d+ has 200 tokens and m1 take 300; pins may take 468 of the 1,560 .* Unpin another/,
    );
    pin(harness, change.handle);
    expect(pinned(harness)).toEqual([1]);
  });

  it('that are refused are told to the model as text, and the turn goes on', () => {
    const harness = new Harness(calling(['pin', { handle: 'm1' }]));
    const size = PIN_LIMIT + 1;
    expect(harness.send(textOf(size)).outcome).toBe('answered');
    // Above a quarter of the budget it is shown as a stub, which is small enough.
    expect(results(harness)[0]).toMatch(/^Pinned m1/);
    const other = new Harness({ ...calling(['pin', { handle: 'm1' }]), limits: { oversizedShare: 1 } });
    expect(other.send(textOf(size)).outcome).toBe('answered');
    expect(results(other)[0]).toMatch(/^Refused: .* 469 tokens and nothing is pinned; .* 468 of the 1,560/);
  });

  it('are counted by calibrated tokens', () => {
    const harness = new Harness();
    harness.send(textOf(300));
    const inflated = { ...harness.state, head: { ...harness.state.head, calibration: 2_000 } };
    const change = { kind: 'pin', handle: 'm1' } as const;
    expect(applyPin(inflated, harness.config, harness.machine.budget, change)).toMatchObject({
      ok: false,
      code: 'E_PIN_LIMIT',
    });
  });

  it('of what was pinned already change nothing but its place', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(100, 'first'));
    sendPinned(harness, textOf(100, 'second'));
    pin(harness, 'm1');
    expect(pinned(harness)).toEqual([3, 1]);
  });

  it('of what is not in the queue say how it gets there', () => {
    const harness = new Harness(calling(['pin', { handle: 'm99' }]));
    harness.send('hello');
    expect(results(harness)[0]).toMatch(/^"m99" is not in the queue.*page_in first/);
    untilFlush(harness, 1);
    const change = { kind: 'pin', handle: 'm1' } as const;
    expect(applyPin(harness.state, harness.config, harness.machine.budget, change)).toMatchObject({
      ok: false,
      code: 'E_NOT_FOUND',
    });
  });

  it('of what is being written now are refused', () => {
    const both = () =>
      calls(call('page_in', { handle: 'm1' }), call('pin', { handle: 'm2', request_heartbeat: true }));
    const harness = new Harness({ reply: (_, n) => (n === 0 ? both() : tells('done')) });
    harness.send('read and pin');
    expect(results(harness)[1]).toMatch(/being written now/);
  });

  it('that are no pins are told when they shall be unpinned, with those that are', () => {
    const harness = new Harness(calling(['unpin', { handle: 'm9' }]));
    harness.send('hello');
    expect(results(harness)[0]).toBe('"m9" is not pinned. Pinned: nothing.');
    sendPinned(harness, textOf(50));
    const change = { kind: 'unpin', handle: 'm9' } as const;
    const { text } = applyPin(harness.state, harness.config, harness.machine.budget, change);
    expect(text).toBe(`"m9" is not pinned. Pinned: ${lastUserHandle(harness)}.`);
  });
});

describe('when the window shrinks', () => {
  const shrunk = { window: 1_000 };

  it('the oldest pins drop until the rest keeps within its share, with a notice in the queue', () => {
    const harness = new Harness();
    for (const mark of ['one', 'two', 'three']) sendPinned(harness, textOf(100, mark));
    harness.reload(shrunk);
    expect(pinned(harness)).toEqual([3, 5]);
    expect(harness.store.log.at(-1)?.message).toMatchObject({
      notice: 'unpinned',
      parts: [{ text: expect.stringMatching(/^\[No longer pinned, for lack of room: m1\./) }],
    });
    harness.send('hello');
    expect(isShown(harness, 'No longer pinned')).toBe(true);
  });

  it('also by another processor that counts more', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(240, 'one'));
    sendPinned(harness, textOf(200, 'two'));
    harness.reload({ model: 'dense', count: (piece) => 2 * JSON.stringify(piece).length });
    expect(pinned(harness)).toEqual([]);
  });

  it('nothing drops by a restart alone, and nothing when it grows', () => {
    const harness = new Harness();
    sendPinned(harness, textOf(380));
    harness.reload();
    harness.reload({ window: 4_000 });
    expect(pinned(harness)).toEqual([1]);
    expect(harness.store.log.some(({ message }) => message.notice === 'unpinned')).toBe(false);
  });

  it('in the middle of a call, the notice waits until the call has its result', () => {
    const harness = new Harness({ reply: (_, n) => (n === 1 ? looksUp('read') : tells('done')) });
    sendPinned(harness, textOf(380));
    harness.stopBefore = 'call';
    harness.drive(harness.interrupt('read'));
    harness.stopBefore = undefined;
    expect(harness.reload(shrunk)?.outcome).toBe('answered');
    const written = harness.store.log.map(({ message }) => message.notice ?? message.role);
    expect(written.filter((what) => what !== 'pressure').slice(-5)).toEqual([
      'assistant',
      'tool',
      'unpinned',
      'assistant',
      'tool',
    ]);
    expect(pinned(harness)).toEqual([]);
  });
});

describe('before the turn is given up', () => {
  it('the oldest pins that free enough are dropped, with a notice, and the turn goes on', () => {
    const harness = new Harness({ limits: { keepExchanges: 0 } });
    for (const mark of ['one', 'two', 'three']) sendPinned(harness, textOf(150, mark));
    harness.send('short');
    harness.reload({ instructions: textOf(1_280) });
    expect(harness.send('hello').outcome).toBe('answered');
    expect(pinned(harness).length).toBeLessThan(3);
    expect(pinned(harness).length).toBeGreaterThan(0);
    expect(pinned(harness)).not.toContain(1);
    expect(harness.store.log.filter(({ message }) => message.notice === 'unpinned').length).toBe(1);
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
  });

  it('pins that could not help are kept: the error names the sizes, and nothing is lost', () => {
    const harness = new Harness({ limits: { keepExchanges: 0 } });
    sendPinned(harness, textOf(150, 'one'));
    harness.send('short');
    harness.reload({ instructions: textOf(1_600) });
    expect(harness.send('hello').failure?.code).toBe('E_CONTEXT_IRREDUCIBLE');
    expect(pinned(harness)).toEqual([1]);
    harness.reload({ instructions: 'You remember.' });
    expect(harness.send('hello?').outcome).toBe('answered');
    expect(pinned(harness)).toEqual([1]);
  });
});

describe('the message that began the turn', () => {
  it('stays during that turn, whoever sent it', () => {
    const harness = new Harness({
      limits: { keepExchanges: 0, thrashLimit: 100 },
      reply: (_, n) => (n === 0 || n > 12 ? tells('done') : looksUp('read', { n })),
      tool: () => ({ text: textOf(300) }),
    });
    harness.send('a user said this before');
    harness.send('the timer rang', { role: 'system' });
    expect(harness.observed('page-evicted').length).toBeGreaterThan(3);
    for (const { request } of harness.requests.slice(1))
      expect(request.messages.map(messageContent)).toContain('the timer rang');
  });
});
