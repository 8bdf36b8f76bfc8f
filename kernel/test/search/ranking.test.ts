import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankInContext } from '../../src/core/search/index.js';
import { collect, ordinalsOf, search, type Turn } from './collection.js';

const vocabulary = ['alpaca', 'cork', 'breed', 'river', 'lantern', '设备'];
const turns = fc.array(
  fc.record({
    text: fc.array(fc.constantFrom(...vocabulary), { maxLength: 6 }).map((words) => words.join(' ')),
    session: fc.constantFrom('one', 'two'),
    speaker: fc.constantFrom('Ada', 'Bob'),
  }),
  { maxLength: 12 },
);

describe('ranking in context', () => {
  it('is plain BM25 for a document without neighbours', () => {
    const collection = collect(['alpaca river', 'lantern', 'cork cork cork']);
    const [hit] = search(collection, 'alpaca');
    // N 3, df 1: idf ln(1 + 2.5 / 1.5); count 1, length 2 against an average of 2: the fraction is 1.
    expect(hit?.ordinal).toBe(0);
    expect(hit?.score).toBeCloseTo(Math.log(1 + 2.5 / 1.5), 12);
  });

  it('counts what the turns around say by distance, more for those before', () => {
    const collection = collect(
      ['cork', 'river', 'alpaca', 'lantern', 'breed', 'cork'].map((text) => ({ text, session: 's' })),
    );
    const found = new Map(search(collection, 'alpaca').map(({ ordinal, score }) => [ordinal, score]));
    const idf = Math.log(1 + 5.5 / 1.5);
    // All six are within reach of the one that has the word, and five of them hear it from another.
    const wide = 0.5 * Math.log(1 + 0.5 / 6.5);
    const expected = (count: number): number => (idf * count * 2.2) / (count + 1.2) + (count < 1 ? wide : 0);
    expect(found.get(2)).toBeCloseTo(expected(1), 12);
    expect(found.get(3)).toBeCloseTo(expected(0.6), 12); // the turn right before it has the word
    expect(found.get(4)).toBeCloseTo(expected(0.4), 12);
    expect(found.get(1)).toBeCloseTo(expected(0.4), 12); // the turn right after it has the word
    expect(found.get(0)).toBeCloseTo(expected(0.2), 12);
    expect(found.has(5)).toBe(false);
  });

  it('looks no further than the session', () => {
    const collection = collect([
      { text: 'alpaca', session: 'monday' },
      { text: 'river', session: 'tuesday' },
    ]);
    expect(ordinalsOf(search(collection, 'alpaca'))).toEqual([0]);
  });

  it('lets a long turn speak for itself', () => {
    const long = Array.from({ length: 400 }, () => 'river').join(' ');
    const short = collect([
      { text: 'alpaca', session: 's' },
      { text: 'river', session: 's' },
    ]);
    const longer = collect([
      { text: 'alpaca', session: 's' },
      { text: long, session: 's' },
    ]);
    const scoreOfSecond = (collection: ReturnType<typeof collect>): number =>
      search(collection, 'alpaca').find(({ ordinal }) => ordinal === 1)?.score ?? 0;
    expect(scoreOfSecond(longer)).toBeLessThan(scoreOfSecond(short) / 4);
  });

  it('prefers the turns of the speaker that the question names', () => {
    const collection = collect([
      { text: 'alpaca', speaker: 'Bob' },
      { text: 'alpaca', speaker: 'Ada' },
    ]);
    const [first, second] = search(collection, 'Did Ada breed an alpaca?', ['Ada', 'Bob']);
    expect(first?.ordinal).toBe(1);
    expect(first?.score).toBeCloseTo(2 * (second?.score ?? 0), 12);
  });

  it('puts the passage with exactly that key on top, among look-alikes', () => {
    const key = '550e8400-e29b-41d4-a716-446655440000';
    const alike = Array.from(
      { length: 30 },
      (_, i) => `key = 550e8400-e29b-41d4-a716-44665544${1000 + i}, value = 7`,
    );
    const collection = collect([...alike, `key = ${key}, value = 8`, ...alike]);
    expect(ordinalsOf(search(collection, key.toUpperCase()))[0]).toBe(30);
  });

  it('finds Korean without its particle, and two characters in a long run (D01, D03)', () => {
    const collection = collect(['수급자의 신청', '设备清单', '飞书插件配置', 'db 用户', '黑猫']);
    expect(ordinalsOf(search(collection, '수급자'))).toEqual([0]);
    expect(ordinalsOf(search(collection, '设备'))).toEqual([1]);
    expect(ordinalsOf(search(collection, '飞书插件配置'))).toEqual([2]);
    expect(ordinalsOf(search(collection, '用户'))).toEqual([3]);
    expect(ordinalsOf(search(collection, 'db'))).toEqual([3]);
    expect(ordinalsOf(search(collection, '猫'))).toEqual([4]);
  });

  it('puts the answer above chatty rows full of function words (D07)', () => {
    const chatty = Array.from(
      { length: 40 },
      (_, i) => `what is it that is my own, and what is his, what is ${i}`,
    );
    const collection = collect([...chatty, 'my dog is called Rex']);
    expect(ordinalsOf(search(collection, "what is my dog's name"))).toEqual([40]);
  });

  it('finds function words when nothing else is asked for (D06)', () => {
    expect(ordinalsOf(search(collect(['a dog', 'The Who played', 'the dog']), 'The Who'))[0]).toBe(1);
  });

  it('takes marks literally, not as wild cards or operators (D05, D08)', () => {
    const collection = collect([
      '100% wool',
      '100 sheep',
      'testing tests',
      'test_ file',
      'publishing',
      'admin',
    ]);
    expect(ordinalsOf(search(collection, '100%'))[0]).toBe(0);
    expect(ordinalsOf(search(collection, 'test_'))[0]).toBe(3);
    expect(search(collection, '%')).toEqual([]);
    expect(search(collection, '\\')).toEqual([]);
    expect(ordinalsOf(search(collection, 'nothing|such'))).toEqual([]);
  });

  it('finds the fact by its exact marker among 20 questions about it (D17)', () => {
    const questions = Array.from(
      { length: 20 },
      (_, i) => `what was the marker again, do you recall the marker ${i}?`,
    );
    const collection = collect([...questions, 'The marker is MARKER_1777.', ...questions]);
    expect(ordinalsOf(search(collection, 'do you recall the marker MARKER_1777?'))[0]).toBe(20);
  });

  it('finds a turn by its day', () => {
    const days = [6, 7, 8].map((day): Turn => ({ text: 'river walk', at: Date.UTC(2023, 4, day) }));
    expect(ordinalsOf(search(collect(days), 'what happened on 7 May 2023'))[0]).toBe(1);
  });

  it('does not depend on the order of its input', () => {
    fc.assert(
      fc.property(turns, fc.subarray(vocabulary), (given, terms) => {
        const { documents, postings, totals } = collect(given);
        const input = { terms, postings, documents, totals, named: ['Ada'] };
        const turned = {
          ...input,
          terms: terms.toReversed(),
          postings: postings.toReversed(),
          documents: documents.toReversed(),
        };
        expect(rankInContext(turned)).toEqual(rankInContext(input));
      }),
    );
  });

  it('settles ties by ordinal', () => {
    const { documents, postings, totals } = collect(['alpaca', 'river', 'alpaca', 'alpaca']);
    const ranking = rankInContext({ terms: ['alpaca'], postings, documents: documents.toReversed(), totals });
    expect(ordinalsOf(ranking)).toEqual([0, 2, 3]);
  });

  it('finds every turn that has a term of the question, with a positive finite score', () => {
    fc.assert(
      fc.property(turns, fc.constantFrom(...vocabulary), (given, term) => {
        const ranking = search(collect(given), term);
        const found = new Set(ordinalsOf(ranking));
        for (const [ordinal, turn] of given.entries())
          if (turn.text.includes(term)) expect(found).toContain(ordinal);
        for (const { score } of ranking) expect(score > 0 && Number.isFinite(score)).toBe(true);
      }),
    );
  });

  it('keeps the order of equally long hits of one term when an unrelated document comes', () => {
    fc.assert(
      fc.property(turns, fc.constantFrom(...vocabulary), (given, term) => {
        const padded = given.map((turn, i) => ({ text: `${turn.text} x`, session: `${i}` })); // each alone
        const before = search(collect(padded), term);
        // Of the average length, so that only how rare the term is changes.
        const length = collect(padded).totals.length / Math.max(1, padded.length);
        const other = Array.from({ length: Math.round(length) }, () => 'unrelated').join(' ');
        fc.pre(Number.isInteger(length));
        expect(ordinalsOf(search(collect([...padded, other]), term))).toEqual(ordinalsOf(before));
      }),
    );
  });

  it('survives totals that lag behind, missing rows and repeated input', () => {
    const { documents, postings } = collect(['alpaca', 'alpaca river']);
    const lagging = { terms: ['alpaca', 'alpaca'], postings, documents, totals: { documents: 0, length: 0 } };
    expect(rankInContext(lagging).map(({ ordinal }) => ordinal)).toEqual([0, 1]);
    expect(rankInContext({ ...lagging, documents: documents.slice(1) })).toHaveLength(1);
    expect(rankInContext({ ...lagging, documents: [...documents, ...documents] })).toHaveLength(2);
  });
});
