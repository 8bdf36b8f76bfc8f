/** What list-like policies are made of, against plain maps and arrays. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from '../../src/policy/column.js';
import { FrequencySketch } from '../../src/policy/frequency-sketch.js';
import { PageLists } from '../../src/policy/page-lists.js';
import { LARGEST_PAGE, PageTable } from '../../src/policy/page-table.js';

/** Near each other, so that they meet again, and far apart, so that leaves come and go. */
const page = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.integer({ min: 250, max: 260 }),
  fc.constantFrom(70_000, LARGEST_PAGE),
);

describe('a page table', () => {
  it('says of every page what a map says', () => {
    const op = fc.tuple(page, fc.nat({ max: 1_000 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(op, { maxLength: 200 }), (ops) => {
        const [table, map] = [new PageTable(), new Map<number, number>()];
        for (const [id, frame, isSet] of ops) {
          if (isSet && !map.has(id)) {
            table.set(id, frame);
            map.set(id, frame);
          } else if (!isSet && map.delete(id)) table.delete(id);
          for (const [known] of ops) expect(table.get(known)).toBe(map.get(known) ?? NONE);
        }
      }),
    );
  });

  it.each([-1, 0.5, 2 ** 31, 2 ** 32 + 5, Number.NaN])(
    'knows no page %d, and takes none of that number',
    (id) => {
      const table = new PageTable();
      table.set(5, 1);
      expect(table.get(id)).toBe(NONE);
      expect(() => table.set(id, 2)).toThrow(/is not a whole number from 0 to 2147483647/);
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
          if (isGone) lists.remove(id);
          else {
            lists.put(list, id, id + 1);
            arrays[list]?.push(id);
          }
          expect(lists.whereIs(id)).toBe(isGone ? NONE : list);
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
