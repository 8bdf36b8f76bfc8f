import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryFacts, findFacts } from '../../src/core/facts.js';
import { codePoints } from '../../src/core/text.js';

function said(text: string, seq = 1) {
  const message = { id: `m${seq}`, role: 'user', at: 0, parts: [{ type: 'text', text }] } as const;
  return { seq, message };
}

describe('facts', () => {
  it('keep the words around a value', () => {
    expect(findFacts(said('The gate code is 4711-X, do not tell.').message, 1)).toMatchObject([
      { text: 'The gate code is 4711-X, do not tell.' },
    ]);
  });

  it('are also in what a tool found and in what was answered, but not in what memory put back (A49, A60)', () => {
    const text = 'ticket ABC-123 is open';
    const result = { type: 'result', callId: 'c', name: 'look_up', text } as const;
    const call = {
      type: 'call',
      callId: 'c',
      name: 'send_message',
      arguments: JSON.stringify({ message: text }),
    } as const;
    const recalled = { ...result, recalled: [{ handle: 'm1', from: 0, to: 9 }] };
    const found = [result, call, recalled].map((part) =>
      findFacts({ id: 'm', role: 'tool', at: 0, parts: [part] }, 1).map((fact) => fact.text),
    );
    expect(found).toEqual([[text], [text], []]);
  });

  it('drop the repeated, keep the newest when room is short, and stay in order', () => {
    const many = Array.from({ length: 40 }, (_, n) => said(`ticket ABC-${100 + n} is open`, n + 1));
    const facts = carryFacts([], [...many, said('ticket ABC-100 is open', 99)], 200);
    expect(facts.map(({ text }) => codePoints(text) + 1).reduce((a, b) => a + b)).toBeLessThanOrEqual(200);
    expect(facts.at(-1)?.seq).toBe(99);
    expect(new Set(facts.map(({ text }) => text)).size).toBe(facts.length);
  });

  it('never grow over their room, and never throw, whatever is said', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 200 })), fc.nat(500), (texts, room) => {
        const facts = carryFacts(
          [],
          texts.map((text, n) => said(text, n + 1)),
          room,
        );
        expect(facts.reduce((sum, { text }) => sum + codePoints(text), 0)).toBeLessThanOrEqual(room);
      }),
      { numRuns: 300 },
    );
  });
});
