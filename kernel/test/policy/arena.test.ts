import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Arena } from '../../src/policy/arena.js';

describe('an arena', () => {
  it('gives out parts that are zero and overlap nowhere, also when there is no room for them any more', () => {
    const asked = fc.array(fc.tuple(fc.boolean(), fc.nat({ max: 40 })), { maxLength: 20 });
    fc.assert(
      fc.property(fc.nat({ max: 1_000 }), asked, (bytes, lengths) => {
        const arena = new Arena(bytes);
        const parts = lengths.map(([isWhole, length], n) => {
          const part = isWhole ? arena.integers(length) : arena.floats(length);
          expect([...part]).toEqual(Array.from({ length }, () => 0));
          return part.fill(n + 1);
        });
        for (const [n, part] of parts.entries()) expect(part.every((value) => value === n + 1)).toBe(true);
      }),
    );
  });

  it('asks for memory once for what fits', () => {
    const arena = new Arena(3 * 8 + 2 * 8);
    const [three, two] = [arena.integers(3), arena.floats(2)];
    expect(two.buffer).toBe(three.buffer);
    expect(arena.integers(1).buffer).toBe(three.buffer);
    expect(arena.floats(1).buffer).not.toBe(three.buffer);
  });
});
