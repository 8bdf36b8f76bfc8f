import { afterEach, describe, expect, it } from 'vitest';
import { startTalk, type Talk, tells } from './talk.js';

let talk: Talk;
afterEach(() => talk.close());

const reply = () => tells('A fleece like that is rare. '.repeat(10));
const say = (turn: number) => `Turn ${turn}: ${'the alpaca was sheared today. '.repeat(10)}`;

describe('a provider that finds a request too long although it was counted to fit', () => {
  it('gets a smaller one, once, and the turn is answered (gap 1)', async () => {
    talk = await startTalk({ reply, window: 8_192, serverWindow: 5_000 });
    const outcomes = new Set<string>();
    for (let turn = 0; turn < 40; turn += 1) outcomes.add((await talk.agent.send(say(turn))).outcome);
    expect([...outcomes]).toEqual(['answered']);
    const refusals = talk.refusals();
    expect(new Set(refusals)).toEqual(new Set(['context_length_exceeded']));
    // It learns: most turns are counted right at once.
    expect(refusals.length).toBeLessThan(10);
    expect((await talk.agent.map()).counters.flushes).toBeGreaterThanOrEqual(1);
  });

  it('is not asked for ever: the turn ends, and a larger window serves the process again (gap 1)', async () => {
    talk = await startTalk({ reply, window: 8_192, serverWindow: 600 });
    const failed = await talk.agent.send(say(0));
    expect(failed.outcome).toBe('failed');
    expect(failed.failure?.code).toMatch(/E_CONTEXT_(OVERFLOW|IRREDUCIBLE)/);
    expect(talk.refusals().length).toBeLessThanOrEqual(2);
    const { recall } = talk;
    await talk.close();
    talk = await startTalk({ reply, recall, window: 8_192 });
    expect(await talk.agent.send(say(1))).toMatchObject({ outcome: 'answered' });
    expect(talk.refusals()).toEqual([]);
  });
});
