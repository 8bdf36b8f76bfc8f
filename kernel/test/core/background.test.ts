import { describe, expect, it } from 'vitest';
import { pressureOf } from '../../src/core/pressure.js';
import { messageContent } from '../support/count.js';
import { Harness } from '../support/harness.js';
import { looksUp, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

// Window 2,000: a budget of 1,560; idle processes are reclaimed above 1,092, down to 780.
const BACKGROUND = 1_092;
const TARGET = 780;

function idle(harness: Harness): void {
  harness.drive({ type: 'idle', at: (harness.now += 300_000) });
}

/** Sends until pressure is between the background's share and the flush. */
function filled(harness: Harness = new Harness()): Harness {
  while (pressureOf(harness.state) <= BACKGROUND) harness.send(textOf(130));
  expect(harness.observed('flush-finished')).toEqual([]);
  return harness;
}

describe('an idle process', () => {
  it('above its share is reclaimed to the target, with a summary, and that is stored', () => {
    const harness = filled();
    idle(harness);
    expect(pressureOf(harness.state)).toBeLessThanOrEqual(TARGET + 20);
    expect(harness.summaries).toHaveLength(1);
    expect(harness.store.state()).toEqual(harness.state);
    expect(harness.store.state().summary?.text).toMatch(/^Summary of \d+ messages/);
    harness.send('hello');
    expect(harness.lastMessages().map(messageContent).join()).toContain('Summary of');
  });

  it('below its share is left as it is, and nothing is written', () => {
    const harness = new Harness();
    while (pressureOf(harness.state) <= TARGET + 100) harness.send(textOf(130));
    expect(pressureOf(harness.state)).toBeLessThanOrEqual(BACKGROUND);
    const [commits, before] = [harness.store.commits.length, harness.state];
    idle(harness);
    expect(harness.store.commits).toHaveLength(commits);
    expect(harness.state).toBe(before);
  });

  it('is not reclaimed again with nothing new (A50)', () => {
    const harness = filled();
    idle(harness);
    const [commits, summary] = [harness.store.commits.length, harness.state.summary];
    for (let n = 0; n < 3; n++) idle(harness);
    expect(harness.store.commits).toHaveLength(commits);
    expect(harness.state.summary).toBe(summary);
  });

  it('keeps the last exchanges and what is pinned, and cuts nothing to a stub', () => {
    const harness = new Harness({ limits: { keepExchanges: 2, targetShare: 0.01 } });
    harness.send(textOf(200, 'keep'));
    harness.drive({ type: 'pin', at: harness.now, change: { kind: 'pin', handle: 'm1' } });
    filled(harness);
    idle(harness);
    const users = harness.state.pages.filter(({ kind }) => kind === 'user');
    expect(users.map(({ id }) => id)).toEqual([1, ...users.slice(1).map(({ id }) => id)]);
    expect(users).toHaveLength(3);
    expect(harness.observed('page-stubbed')).toEqual([]);
    expect(harness.state.turn).toBeUndefined();
  });

  it('re-arms the warning, as every flush does', () => {
    const harness = filled();
    expect(harness.state.head.warned).toBe(true);
    idle(harness);
    expect(harness.state.head.warned).toBe(false);
  });

  it('that is stopped while the summary is made stays as it was', () => {
    const harness = filled();
    const before = harness.state.pages;
    harness.stopBefore = 'summarise';
    idle(harness);
    harness.stopBefore = undefined;
    harness.drive({ type: 'cancelled', at: harness.now });
    expect(harness.state.pages).toEqual(before);
    expect(harness.state.summary).toBeUndefined();
    expect(harness.send('hello').outcome).toBe('answered');
  });

  it('that was stopped is not taken for one that waits for its summary', () => {
    const limits = { backgroundShare: 0.1, targetShare: 0.05, keepExchanges: 0, oversizedShare: 1 };
    const harness = new Harness({ limits });
    for (const text of [textOf(150), 'short']) harness.send(text);
    harness.stopBefore = 'summarise';
    idle(harness);
    harness.stopBefore = undefined;
    harness.drive({ type: 'cancelled', at: harness.now });
    for (const handle of ['m1', 'm2', 'm3', 'm4'])
      harness.drive({ type: 'pin', at: harness.now, change: { kind: 'pin', handle } });
    expect(harness.send(textOf(1_500)).outcome).toBe('answered');
  });

  it('that crashes while the summary is made loses nothing', () => {
    const harness = filled();
    const before = harness.state.pages;
    harness.stopBefore = 'summarise';
    idle(harness);
    harness.stopBefore = undefined;
    harness.reload();
    expect(harness.state.pages).toEqual(before);
    idle(harness);
    expect(harness.state.summary).toBeDefined();
  });

  it('is not reclaimed in the middle of a turn that a crash cut off, nor at its end', () => {
    const harness = filled(new Harness({ reply: (_, n) => (n < 20 ? tells('ok') : looksUp('read', { n })) }));
    harness.stopBefore = 'infer';
    harness.drive(harness.interrupt('read'));
    idle(harness);
    harness.stopBefore = undefined;
    harness.drive({ type: 'cancelled', at: harness.now });
    expect(harness.observed('flush-finished')).toEqual([]);
  });

  it('whose target is above the share is left alone', () => {
    const harness = filled(new Harness({ limits: { targetShare: 0.95 } }));
    idle(harness);
    expect(harness.observed('flush-finished')).toEqual([]);
  });
});
