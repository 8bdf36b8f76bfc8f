import type { IndexedDocument } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blend, weightBefore } from '../../src/core/search/index.js';
import { SPARSE_TERMS, VECTOR_BEFORE, WIDE_REACH } from '../../src/core/search/limits.js';
import { countsAround, placesAround } from '../../src/core/search/surroundings.js';
import { collect, search } from './collection.js';

const document = (ordinal: number, session: string, length = 1): IndexedDocument => ({
  ordinal,
  seq: ordinal + 1,
  ref: `m${ordinal}`,
  session,
  speaker: '',
  at: 0,
  length,
});

const holders = fc.dictionary(fc.nat(120).map(String), fc.integer({ min: 1, max: 3 }));
const sessions = fc.array(fc.constantFrom('one', 'two', undefined), { maxLength: 120 });

describe('the wider context of a turn', () => {
  it('counts what others within reach say in the same session, as far as they are at hand', () => {
    fc.assert(
      fc.property(holders, sessions, (given, rows) => {
        const counts = new Map(Object.entries(given).map(([ordinal, count]) => [Number(ordinal), count]));
        const documents = new Map(
          rows.flatMap((session, i) => (session === undefined ? [] : [[i, document(i, session)] as const])),
        );
        const expected = [...documents.values()].flatMap(({ ordinal, session }) => {
          const near = [...counts].filter(
            ([other]) =>
              other !== ordinal &&
              Math.abs(other - ordinal) <= WIDE_REACH &&
              documents.get(other)?.session === session,
          );
          const count = near.reduce((sum, [, each]) => sum + each, 0);
          return count > 0 ? [[ordinal, count]] : [];
        });
        expect([...countsAround(counts, [...documents.keys()], documents)]).toEqual(expected);
      }),
    );
  });

  it('makes a term as rare as the places within its reach', () => {
    fc.assert(
      fc.property(holders, fc.integer({ min: 121, max: 200 }), (given, documents) => {
        const ordinals = Object.keys(given)
          .map(Number)
          .toSorted((a, b) => a - b);
        const places = Array.from({ length: documents }, (_, place) => place).filter((place) =>
          ordinals.some((ordinal) => Math.abs(ordinal - place) <= WIDE_REACH),
        );
        expect(placesAround(ordinals, documents)).toBe(places.length);
      }),
    );
  });

  it('tells two talks apart by what is said in them, and finds nothing by itself', () => {
    const talk = (topic: string, session: string) =>
      [topic, 'a', 'b', 'c', 'd', 'the vet came', 'e', 'f', 'g'].map((text) => ({ text, session }));
    const collection = collect([...talk('a boat', 'monday'), ...talk('an alpaca', 'tuesday')]);
    const found = search(collection, 'did the vet see the alpaca').map(({ ordinal }) => ordinal);
    expect(found.indexOf(14)).toBeLessThan(found.indexOf(5));
    expect(found).not.toContain(17); // within reach of the alpaca, and no more
  });
});

describe('the vector of a turn', () => {
  const vectors = fc.array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 });

  it('holds part of the one before it: nothing across sessions, less for a long turn', () => {
    const before = document(3, 's');
    expect(weightBefore(document(4, 's'), before)).toBe(VECTOR_BEFORE);
    expect(weightBefore(document(4, 's', 4 * SPARSE_TERMS), before)).toBe(VECTOR_BEFORE / 4);
    expect(weightBefore(document(4, 't'), before)).toBe(0);
    expect(weightBefore(document(4, 's'), undefined)).toBe(0);
  });

  it('is of length 1 and as near to a question as the weighted sum of both, or stays as it is', () => {
    fc.assert(
      fc.property(vectors, vectors, vectors, (own, before, question) => {
        const [a, b] = [Float32Array.from(own), Float32Array.from(before)];
        const blended = blend(a, b, 0.5);
        const length = Math.hypot(...own.map((value, i) => value + 0.5 * (before[i] ?? 0)));
        fc.pre(length > 0.01);
        expect(Math.hypot(...blended)).toBeCloseTo(1, 5);
        const dot = (v: Float32Array) => v.reduce((sum, value, i) => sum + value * (question[i] ?? 0), 0);
        expect(dot(blended) * length).toBeCloseTo(dot(a) + 0.5 * dot(b), 4);
      }),
    );
    const vector = Float32Array.of(0.6, 0.8);
    expect(blend(vector, undefined, 0.5)).toBe(vector);
    expect(blend(vector, Float32Array.of(-0.6, -0.8), 1)).toBe(vector);
  });
});
