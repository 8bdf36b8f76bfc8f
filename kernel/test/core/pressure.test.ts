import { describe, expect, it } from 'vitest';
import { Harness } from '../support/harness.js';
import { looksUp, says, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

// Window 2,000: 400 for the reply, 40 of margin, 1,560 for requests; warning at 1,092, target 780.
const BUDGET = 1_560;

function warnings(harness: Harness): number {
  return harness.store.log.filter(({ message }) => message.notice === 'pressure').length;
}

describe('the budget', () => {
  it('is the window less the output reserve and the safety margin (A37)', () => {
    const { budget } = new Harness().machine;
    expect(budget).toEqual({ window: 2_000, reserve: 400, margin: 40, tokens: BUDGET });
  });

  it('clamps an output limit larger than the window (A38)', () => {
    const harness = new Harness({ window: 2_000, maxOutput: 1_000_000 });
    harness.send('hello');
    expect(harness.requests[0]?.request.maxOutput).toBe(500);
    expect(harness.machine.budget.tokens).toBe(2_000 - 500 - 40);
  });

  it('counts tools, instructions and blocks, not the conversation alone (A34)', () => {
    const tools = [{ name: 'f', description: textOf(300), parameters: { type: 'object' } }];
    const bare = new Harness();
    const heavy = new Harness({ tools, instructions: textOf(200) });
    for (const harness of [bare, heavy]) harness.send('hello');
    const difference = (heavy.requests[0]?.tokens ?? 0) - (bare.requests[0]?.tokens ?? 0);
    expect(difference).toBeGreaterThan(480);
  });
});

describe('the warning', () => {
  it('comes once, in the commit that crosses 70 %', () => {
    const harness = new Harness();
    const before: number[] = [];
    for (let n = 0; n < 6; n++) {
      harness.send(textOf(190));
      before.push(warnings(harness));
    }
    expect(before).toEqual([0, 0, 0, 0, 0, 1]);
    harness.send('hi');
    expect(warnings(harness)).toBe(1);
    const commit = harness.store.commits.find(({ appends }) =>
      appends?.some(({ message }) => message.notice),
    );
    expect(commit?.appends?.map(({ message }) => message.role)).toEqual(['user', 'system']);
  });

  it('is armed again by a flush', () => {
    const harness = new Harness();
    while (harness.observed('flush-finished').length < 2) harness.send(textOf(150));
    expect(warnings(harness)).toBe(2);
  });

  it('is left out by a jump straight past the flush', () => {
    const harness = new Harness({ limits: { oversizedShare: 1 } });
    for (let n = 0; n < 4; n++) harness.send(textOf(230));
    expect(warnings(harness)).toBe(0);
    harness.send(textOf(700));
    expect(harness.observed('flush-finished')).toHaveLength(1);
    expect(harness.store.log.at(-2)?.message.notice).toBeUndefined();
    expect(warnings(harness)).toBe(0);
  });

  it('does not come for a transcript that is fed: no model could act on it', () => {
    const harness = new Harness();
    for (let n = 0; n < 20; n++) harness.feed(textOf(150));
    expect(harness.observed('flush-finished').length).toBeGreaterThan(0);
    expect(warnings(harness)).toBe(0);
  });

  it('does not make room for itself by evicting what the model has not seen yet (A54)', () => {
    for (let size = 300; size < 760; size += 3) {
      const harness = new Harness({
        window: 1_000,
        limits: { keepExchanges: 0, oversizedShare: 1 },
        reply: (_, n) => (n === 0 ? looksUp('read') : tells('done')),
        tool: () => ({ text: textOf(size, 'result') }),
      });
      harness.send('read it');
      const seen = harness.requests[1]?.request.messages.flatMap(({ parts }) => parts);
      expect(seen?.filter(({ type }) => type === 'result')).toHaveLength(1);
    }
  });
});

describe('the check', () => {
  it('is made before every call of a tool loop, not at the start of a turn alone (A39)', () => {
    let n = 0;
    const harness = new Harness({
      reply: () => ((n += 1) <= 10 ? looksUp('read', { n }) : tells('done')),
      tool: () => ({ text: textOf(350) }),
      limits: { thrashLimit: 100 },
    });
    expect(harness.send('read ten files').outcome).toBe('answered');
    expect(harness.observed('flush-finished').length).toBeGreaterThan(0);
    for (const { tokens } of harness.requests) expect(tokens).toBeLessThanOrEqual(BUDGET);
  });

  it('counts a process that was loaded before its first call (A40)', () => {
    const harness = new Harness({ window: 8_000 });
    for (let n = 0; n < 30; n++) harness.send(textOf(150));
    harness.reload({ window: 2_000, model: 'smaller' });
    harness.send('hello again');
    expect(harness.requests.at(-1)?.tokens).toBeLessThanOrEqual(BUDGET);
  });

  it('recounts everything for another processor, and nothing for the same', () => {
    const harness = new Harness();
    harness.send('hello');
    const counted = (): number => harness.effects.filter(({ type }) => type === 'count').length;
    const before = counted();
    harness.reload();
    expect(counted()).toBe(before);
    harness.reload({ model: 'other' });
    const last = harness.effects.findLast((effect) => effect.type === 'count');
    expect(last?.type === 'count' && last.pieces.map(({ key }) => key)).toEqual([
      'tools',
      'system',
      'tail',
      'm1',
      'm2',
    ]);
  });

  it('counts special tokens as the text that they are (A31)', () => {
    const harness = new Harness();
    expect(harness.send('<|endoftext|> <|im_start|>').outcome).toBe('answered');
  });
});

describe('calibration', () => {
  const reports = (input: number, output = 0) => says('ok', 'stop', { plain: input, output });

  it('follows the input that was reported, between turns', () => {
    const harness = new Harness({ reply: () => reports(200) });
    const counted = harness.machine.state;
    harness.send('hello');
    const sent = harness.requests[0]?.tokens ?? 0;
    expect(counted.head.calibration).toBe(1_000);
    expect(harness.state.head.calibration).toBe(Math.ceil(200_000 / sent));
  });

  it('leaves the output out: pressure is the next request, not the last total (A35)', () => {
    const few = new Harness({ reply: (_, n) => reports(countOf(few, n), 0) });
    const many = new Harness({ reply: (_, n) => reports(countOf(many, n), 100_000) });
    for (const harness of [few, many]) harness.send('hello');
    expect(many.state.head.calibration).toBe(few.state.head.calibration);
  });

  it('counts cached input once (A36)', () => {
    const harness = new Harness({ reply: () => says('ok', 'stop', { plain: 10, cached: 40, written: 0 }) });
    harness.send('hello');
    const sent = harness.requests[0]?.tokens ?? 1;
    expect(harness.state.head.calibration).toBe(Math.max(1_000, Math.ceil(50_000 / sent)));
    expect(harness.state.head.counters).toMatchObject({ input: 50, cached: 40 });
  });

  it('takes zero usage for unknown', () => {
    const harness = new Harness({ reply: (_, n) => (n === 0 ? reports(200) : says('ok')) });
    harness.send('hello');
    const { calibration } = harness.state.head;
    harness.send('hello');
    expect(harness.state.head.calibration).toBe(calibration);
  });

  it('never goes under the count, nor over its limit, and comes down slowly', () => {
    const harness = new Harness({ reply: (_, n) => reports(n === 0 ? 1_000_000 : 1) });
    harness.send('hello');
    expect(harness.state.head.calibration).toBe(4_000);
    harness.send('hello');
    expect(harness.state.head.calibration).toBe(3_800);
    for (let n = 0; n < 40; n++) harness.send('hello');
    expect(harness.state.head.calibration).toBe(1_000);
  });

  it('that leaves no room for anything is taken back: no report could come to correct it', () => {
    const harness = new Harness({ instructions: textOf(800), reply: () => reports(100_000) });
    for (let n = 0; n < 3; n++) expect(harness.send('hello').outcome).toBe('answered');
    for (const { tokens, budget } of harness.requests) expect(tokens).toBeLessThanOrEqual(budget);
  });

  it('is forgotten at a swap: it is about one processor', () => {
    const harness = new Harness({ reply: () => reports(1_000_000) });
    harness.send('hello');
    harness.reload({ instructions: 'Another program.' });
    expect(harness.state.head.calibration).toBe(4_000);
    harness.reload({ model: 'other' });
    expect(harness.state.head.calibration).toBe(1_000);
  });

  it('leaves no stale pressure after a flush: the next turn does not flush again (A47)', () => {
    const harness = new Harness();
    while (harness.observed('flush-finished').length === 0) harness.send(textOf(150));
    harness.send('hi');
    expect(harness.observed('flush-finished')).toHaveLength(1);
    const after = harness.observed('flush-finished')[0]?.after ?? 0;
    expect(after).toBeLessThanOrEqual(BUDGET * 0.5 + 20);
  });
});

function countOf(harness: Harness, n: number): number {
  return harness.requests[n]?.tokens ?? 0;
}
