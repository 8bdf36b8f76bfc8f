import type { Message, Part } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryFacts, findFacts } from '../../src/core/facts.js';
import type { Stub } from '../../src/core/state.js';
import { stubMessage } from '../../src/core/stub.js';
import { codePoints, sliceCodePoints } from '../../src/core/text.js';

function said(text: string, seq = 1, role: Message['role'] = 'user') {
  const message: Message = { id: `m${seq}`, role, at: 0, parts: [{ type: 'text', text }] };
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

  describe('of a stub', () => {
    const words = 'word '.repeat(200);
    const texts = (part: Part, level: 1 | 2, shown = 60): string[] => {
      const stub: Stub = { level, shown };
      const message: Message = { id: 'm', role: 'user', at: 0, parts: [part] };
      const stubbed = { seq: 7, message: stubMessage(message, 7, stub), stub };
      return carryFacts([], [stubbed], 10_000).map(({ text }) => text);
    };

    it('are those that it shows, and nothing of what it says about itself', () => {
      const text = `ticket INC-48213 is open ${words} paid 4,815 EUR`;
      const facts = texts({ type: 'text', text }, 1);
      expect(facts.join('\n')).toMatch(/INC-48213[^]*4,815/);
      expect(facts.join('\n')).not.toMatch(/paged out|characters|handle/);
      expect(texts({ type: 'image', mediaType: 'image/png', data: 'AAAA' }, 1)).toEqual([]);
    });

    it('are none when it shows the handle alone', () => {
      expect(texts({ type: 'text', text: `ticket INC-48213 ${words}` }, 2)).toEqual([]);
    });

    it('are not made of a value that the stub cuts in two, in a text or in arguments', () => {
      const before = 'x'.repeat(30);
      // The head ends after 40 characters: in the middle of the number.
      const text = `${before} INC-48213999 ${words}`;
      expect(sliceCodePoints(text, 0, 40)).toMatch(/INC-48213$/);
      expect(texts({ type: 'text', text }, 1)).toEqual([]);
      const json = JSON.stringify({ text: `${before} INC-48213999 ${words}` });
      const shown = json.indexOf('999');
      expect(texts({ type: 'call', callId: 'c', name: 'look_up', arguments: json }, 1, shown)).toEqual([]);
      expect(texts({ type: 'text', text: `${words} 1234-5678-90` }, 1, 15)).toEqual([]);
    });
  });

  it('drop the repeated, keep the newest when room is short, and stay in order', () => {
    const many = Array.from({ length: 40 }, (_, n) => said(`ticket ABC-${100 + n} is open`, n + 1));
    const facts = carryFacts([], [...many, said('ticket ABC-100 is open', 99)], 200);
    expect(facts.map(({ text }) => codePoints(text) + 1).reduce((a, b) => a + b)).toBeLessThanOrEqual(200);
    expect(facts.at(-1)?.seq).toBe(99);
    expect(new Set(facts.map(({ text }) => text)).size).toBe(facts.length);
  });

  it("are the others' before the model's own when room is short, however exact those are", () => {
    const users = [said('My name is Ada Byrne.', 1), said('The code is 4417.', 3)];
    const own = Array.from({ length: 9 }, (_, n) => said(`It is 2026-11-3${n} today.`, n + 4, 'assistant'));
    const room = codePoints('My name is Ada Byrne.The code is 4417.It is 2026-11-30 today.') + 3;
    const facts = carryFacts([], [...users, ...own], room);
    expect(facts.map(({ text }) => text)).toEqual([
      'My name is Ada Byrne.',
      'The code is 4417.',
      'It is 2026-11-38 today.',
    ]);
    expect(carryFacts(facts, [said('The gate is 8052.', 20)], room - 1).map(({ seq }) => seq)).toEqual([
      1, 3, 20,
    ]);
  });

  it("are not the model's own when somebody else said them, whoever was first", () => {
    const [user, own] = [said('ticket ABC-123 is open', 1), said('ticket ABC-123 is open', 2, 'assistant')];
    for (const order of [
      [user, own],
      [own, user],
    ])
      expect(carryFacts([], order, 500)).toEqual([{ text: 'ticket ABC-123 is open', seq: order[1]?.seq }]);
    expect(carryFacts([], [own, own], 500)).toMatchObject([{ own: true }]);
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
