/** What list-like policies are made of, against plain maps and arrays. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/policy/column.js';
import { FrequencySketch } from '../../src/policy/frequency-sketch.js';
import { Frames, LARGEST_PAGE } from '../../src/policy/frames.js';
import { PageLists } from '../../src/policy/page-lists.js';

/** Near each other, so that they meet again, and far apart, as in a long life. */
const page = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 250, max: 260 }),
  fc.constantFrom(70_000, LARGEST_PAGE),
  fc.integer({ min: 0, max: LARGEST_PAGE }),
);

describe('frames', () => {
  it('are found by their pages as in a map, and keep what is said of them, however many there are', () => {
    const op = fc.tuple(page, fc.nat({ max: 1_000 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(op, { maxLength: 200 }), (ops) => {
        const frames = new Frames();
        const [column, reserved] = [frames.column(), frames.reserve()];
        const map = new Map<number, number>();
        column.set(reserved, -7);
        for (const [id, value, isOpen] of ops) {
          if (isOpen && !map.has(id)) {
            map.set(id, value);
            column.set(frames.open(id, value + 1), value);
          } else if (!isOpen && map.delete(id)) frames.close(frames.of(id));
          for (const [known] of ops) expect(frames.of(known) === NONE).toBe(!map.has(known));
        }
        for (const [id, value] of map) {
          const frame = frames.of(id);
          expect([frames.page(frame), frames.tokens(frame), column.get(frame)]).toEqual([
            id,
            value + 1,
            value,
          ]);
        }
        expect(column.get(reserved)).toBe(-7);
      }),
    );
  });

  it('are used again, so that a long life takes no more of them than its pages at one time', () => {
    const frames = new Frames();
    const used = new Set<number>();
    for (let id = 0; id < 100_000; id++) {
      used.add(frames.open(id * 21_474, 1));
      if (id >= 100) frames.close(frames.of((id - 100) * 21_474));
    }
    expect(used.size).toBe(101);
  });

  it('know nothing once they are cleared, and keep what is reserved', () => {
    const frames = new Frames();
    const reserved = frames.reserve();
    for (let id = 0; id < 40; id++) frames.open(id, 1);
    frames.clear();
    expect(frames.of(7)).toBe(NONE);
    const again = Array.from({ length: 40 }, (_, id) => frames.open(id, 1));
    expect(again).not.toContain(reserved);
    expect(frames.of(39)).toBe(again[39]);
  });

  it.each([-1, 0.5, 2 ** 31, 2 ** 32 + 5, Number.NaN])(
    'know no page %d, and take none of that number',
    (id) => {
      const frames = new Frames();
      frames.open(5, 1);
      frames.open(0, 1);
      expect(frames.of(id)).toBe(NONE);
      expect(() => frames.open(id, 2)).toThrow(/is not a whole number from 0 to 2147483647/);
    },
  );
});

describe('lists of pages', () => {
  it('keep order, place and tokens as arrays do, through put, move and remove', () => {
    const op = fc.record({ id: page, list: fc.nat({ max: 2 }), isGone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(op, { maxLength: 100 }), (ops) => {
        const lists = new PageLists(3);
        const arrays: number[][] = [[], [], []];
        for (const { id, list, isGone } of ops) {
          const from = arrays.findIndex((array) => array.includes(id));
          arrays[from]?.splice(arrays[from].indexOf(id), 1);
          if (isGone && from >= 0) lists.drop(lists.frames.of(id));
          if (!isGone) {
            lists.put(list, id, id + 1);
            arrays[list]?.push(id);
          }
          expect(lists.listOf(lists.frames.of(id))).toBe(isGone ? NONE : list);
          for (const [n, array] of arrays.entries()) {
            expect(lists.rows(n)).toEqual(array.map((known) => [known, known + 1]));
            expect(lists.at(n).length).toBe(array.length);
            expect(lists.at(n).tokens).toBe(array.reduce((sum, known) => sum + known + 1, 0));
          }
        }
      }),
    );
  });
});

describe('a frequency sketch', () => {
  it('never says less than there were needs, up to fifteen, before it ages', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 600 }), (needs) => {
        const sketch = new FrequencySketch(64);
        for (const id of needs) sketch.add(id);
        const count = (id: number) => needs.filter((need) => need === id).length;
        for (const id of new Set(needs)) {
          expect(sketch.estimate(id)).toBeGreaterThanOrEqual(Math.min(15, count(id)));
        }
      }),
    );
  });

  it('halves what it knows after ten needs a counter', () => {
    const sketch = new FrequencySketch(16);
    for (let n = 0; n < 159; n++) sketch.add(7);
    expect(sketch.estimate(7)).toBe(15);
    sketch.add(7);
    expect(sketch.estimate(7)).toBe(7);
    expect(sketch.needs).toBe(80);
  });
});
