import type { ArchivalDriver } from '@pagefault/contracts';
import { holds, rejects, same } from '../check.js';
import { ADA, type ArchivalCase, type ArchivalInstance, at, entry, ids } from './instance.js';

/** Runs `work` on drivers of another dimension that are closed afterwards. */
async function withResized(
  { resized, dimension }: ArchivalInstance,
  work: (next: () => ArchivalDriver, width: number) => Promise<void>,
): Promise<void> {
  const drivers: ArchivalDriver[] = [];
  const width = dimension + 1;
  const next = (): ArchivalDriver => {
    const driver = resized?.(width);
    holds(driver !== undefined, 'the instance gives no driver of another dimension');
    drivers.push(driver as ArchivalDriver);
    return driver as ArchivalDriver;
  };
  try {
    await work(next, width);
  } finally {
    for (const driver of drivers) await driver.close();
  }
}

function unable({ resized, driver }: ArchivalInstance): string | undefined {
  if (resized === undefined) return 'the setup gives no driver of another dimension';
  return driver.rebuild === undefined ? 'the driver has no `rebuild`' : undefined;
}

export const rebuilding: readonly ArchivalCase[] = [
  {
    name: 'rebuild: an index of another dimension is refused, made anew beside the old one, and then takes its place (B23, B24)',
    unable,
    run: (instance) =>
      withResized(instance, async (next, width) => {
        const { driver, dimension } = instance;
        await driver.upsert(ADA, [entry('old', at(dimension, 0))]);
        await rejects('E_DIMENSION', next().open());
        const wider = next();
        same(await wider.rebuild?.(), dimension);
        same(await wider.count(ADA), 0);
        await wider.upsert(ADA, [entry('new', at(width, 10))]);
        same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), ['old']);
        await wider.finishRebuild?.();
        same(await ids(wider, { scope: ADA, vector: at(width, 0), limit: 9 }), ['new']);
        await wider.upsert(ADA, [entry('later', at(width, 20))]);
        await driver.close();
        await rejects('E_DIMENSION', driver.open());
        const again = next();
        await again.open();
        same(await ids(again, { scope: ADA, vector: at(width, 0), limit: 9 }), ['new', 'later']);
      }),
  },
  {
    name: 'rebuild: one that was stopped goes on where it was, and until its end the old index is what others open',
    unable,
    run: (instance) =>
      withResized(instance, async (next, width) => {
        const { driver, dimension } = instance;
        await driver.upsert(ADA, [entry('old', at(dimension, 0))]);
        const first = next();
        await first.rebuild?.();
        await first.upsert(ADA, [entry('a', at(width, 10))]);
        await first.close();
        await rejects('E_DIMENSION', next().open());
        const second = next();
        same(await second.rebuild?.(), dimension);
        same(await ids(second, { scope: ADA, vector: at(width, 0), limit: 9 }), ['a']);
        same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), ['old']);
        await second.finishRebuild?.();
        await second.finishRebuild?.();
        same(await second.count(ADA), 1);
      }),
  },
  {
    name: 'rebuild: of two who are at it the second finds it done, and both use the new index',
    unable,
    run: (instance) =>
      withResized(instance, async (next, width) => {
        await instance.driver.close();
        const [first, second] = [next(), next()];
        for (const each of [first, second]) await each.rebuild?.();
        await first.upsert(ADA, [entry('a', at(width, 0))]);
        for (const each of [first, second]) await each.finishRebuild?.();
        await second.upsert(ADA, [entry('b', at(width, 10))]);
        const query = { scope: ADA, vector: at(width, 0), limit: 9 };
        const later = next();
        await later.open();
        for (const each of [first, second, later]) same(await ids(each, query), ['a', 'b']);
      }),
  },
  {
    name: 'rebuild: one that was given up, by opening the old index, leaves nothing and cannot be finished',
    unable,
    run: (instance) =>
      withResized(instance, async (next, width) => {
        const { driver, dimension } = instance;
        await driver.upsert(ADA, [entry('old', at(dimension, 0))]);
        const first = next();
        await first.rebuild?.();
        await first.upsert(ADA, [entry('a', at(width, 10))]);
        await driver.close();
        await driver.open();
        await rejects('E_CONFLICT', first.finishRebuild?.() ?? Promise.resolve());
        same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), ['old']);
        const second = next();
        same(await second.rebuild?.(), dimension);
        same(await second.count(ADA), 0);
      }),
  },
  {
    name: 'rebuild: there is nothing to do where the dimension is right, and what is there stays',
    unable,
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('a', at(dimension, 0))]);
      await driver.close();
      same(await driver.rebuild?.(), undefined);
      await driver.finishRebuild?.();
      same(await driver.count(ADA), 1);
    },
  },
  {
    name: 'rebuild: it can be done again, to a third dimension and back',
    unable,
    run: (instance) =>
      withResized(instance, async (next, width) => {
        const { driver, dimension } = instance;
        await driver.upsert(ADA, [entry('old', at(dimension, 0))]);
        await driver.close();
        const wider = next();
        await wider.rebuild?.();
        await wider.finishRebuild?.();
        await wider.close();
        same(await driver.rebuild?.(), width);
        same(await driver.count(ADA), 0);
        await driver.upsert(ADA, [entry('new', at(dimension, 0))]);
        await driver.finishRebuild?.();
        await driver.close();
        await driver.open();
        same(await ids(driver, { scope: ADA, vector: at(dimension, 0), limit: 9 }), ['new']);
      }),
  },
];
