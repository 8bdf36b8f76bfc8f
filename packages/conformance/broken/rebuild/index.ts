import type { Broken } from '../broken.js';
import type { Index, Shelf } from './shelf.js';

export { createShelf, driverOn, type Shelf } from './shelf.js';

const [REPLACES, GOES_ON, SECOND, GIVEN_UP, NOTHING_TO_DO, AGAIN] = [
  'rebuild: an index of another dimension is refused, made anew beside the old one, and then takes its place (B23, B24)',
  'rebuild: one that was stopped goes on where it was, and until its end the old index is what others open',
  'rebuild: of two who are at it the second finds it done, and both use the new index',
  'rebuild: one that was given up, by opening the old index, leaves nothing and cannot be finished',
  'rebuild: there is nothing to do where the dimension is right, and what is there stays',
  'rebuild: it can be done again, to a third dimension and back',
] as const;

/** Stores whose drivers rebuild wrongly. */
export const brokenRebuilds: readonly Broken<Shelf>[] = [
  {
    rule: 'an index of another dimension is refused',
    because: 'only a rebuild looks at the column itself',
    wrap: (good) => ({
      ...good,
      open: (dimension) => good.open(dimension).catch(() => good.make(dimension)),
    }),
    mustFail: [REPLACES, GOES_ON],
  },
  {
    rule: 'a rebuild tells which dimension it replaces',
    because: 'it is asked after the new index was made',
    wrap: (good) => ({
      ...good,
      async begin(dimension) {
        const { index, from } = await good.begin(dimension);
        return { index, from: from && dimension };
      },
    }),
    mustFail: [REPLACES, GOES_ON, GIVEN_UP, AGAIN],
  },
  {
    rule: 'others go on with the old index until the new one is whole',
    because: 'the old one is dropped when the new one is begun',
    wrap: (good) => ({
      ...good,
      async begin(dimension) {
        const begun = await good.begin(dimension);
        await good.finish(begun.index);
        return begun;
      },
    }),
    mustFail: [REPLACES, GOES_ON, GIVEN_UP],
  },
  {
    rule: 'what was begun is gone on with',
    because: 'a rebuild begins with dropping what an earlier one left',
    wrap: (good) => ({
      ...good,
      begin(dimension) {
        good.next = undefined;
        return good.begin(dimension);
      },
    }),
    mustFail: [GOES_ON, SECOND],
  },
  {
    rule: 'an index of the right dimension stays as it is',
    because: 'a rebuild always begins with an empty one',
    wrap: (good) => ({
      ...good,
      async begin(dimension) {
        if (good.current?.dimension === dimension) good.current = undefined;
        return good.begin(dimension);
      },
    }),
    mustFail: [NOTHING_TO_DO],
  },
  {
    rule: 'the end of a rebuild is seen by all',
    because: 'only the driver that filled it uses the new index',
    wrap: (good) => ({ ...good, finish: async () => undefined }),
    mustFail: [REPLACES, SECOND, GIVEN_UP, AGAIN],
  },
  {
    rule: 'who is second at the end of a rebuild finds it done',
    because: 'the old index is removed, whichever that is by then',
    wrap: (good) => ({
      ...good,
      async finish(index) {
        if (good.current === index) await good.current.driver.close();
        await good.finish(index);
      },
    }),
    mustFail: [SECOND],
  },
  {
    rule: 'to open the old index gives a rebuild up',
    because: 'nobody looks for what was begun',
    wrap: (good) => ({
      ...good,
      async open(dimension) {
        const { next } = good;
        const opened = await good.open(dimension);
        good.next = next;
        return opened;
      },
    }),
    mustFail: [GIVEN_UP],
  },
  {
    rule: 'a rebuild that was given up cannot be finished',
    because: 'that there is no new index is taken for a rebuild that somebody else has finished',
    wrap: (good) => ({
      ...good,
      async finish(index) {
        if (good.next === index) await good.finish(index);
      },
    }),
    mustFail: [GIVEN_UP],
  },
  {
    rule: 'a new index begins empty',
    because: 'it is named by its dimension, and what had that name was not removed',
    wrap(good) {
      const named = new Map<number, Index>();
      return {
        ...good,
        async begin(dimension) {
          const left = named.get(dimension);
          await left?.driver.open();
          if (left !== undefined) good.next ??= left;
          return good.begin(dimension);
        },
        async finish(index) {
          if (good.current) named.set(good.current.dimension, good.current);
          await good.finish(index);
        },
      };
    },
    mustFail: [AGAIN],
  },
];
