import { archivalCases, type ConformanceCase, modelCase, recallCases, runCase } from '@pagefault/conformance';
import {
  brokenArchivals,
  brokenRebuilds,
  brokenRecalls,
  createShelf,
  driverOn,
  type Shelf,
} from '@pagefault/conformance/broken';
import { describe, expect, it } from 'vitest';
import { createMemoryArchival, createMemoryRecall } from '../src/index.js';

interface Closable {
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The names of the cases that fail. */
async function failures<Instance extends { driver: Closable }>(
  create: () => Instance,
  cases: readonly ConformanceCase<Instance>[],
): Promise<string[]> {
  const failed: string[] = [];
  for (const each of cases) await runCase({ create }, each).catch(() => failed.push(each.name));
  return failed;
}

describe('the recall suite notices a driver that breaks one rule', () => {
  const cases = [...recallCases, modelCase(() => createMemoryRecall())];

  it.each(brokenRecalls)('$rule', async ({ wrap, mustFail }) => {
    const create = () => {
      let clock = Date.UTC(2026, 0, 1);
      const driver = wrap(createMemoryRecall({ now: () => clock }));
      return { driver, advance: (by: number) => void (clock += by) };
    };
    expect(await failures(create, cases)).toEqual(mustFail);
  });
});

describe('the archival suite notices a driver that breaks one rule', () => {
  it.each(brokenArchivals)('$rule', async ({ wrap, mustFail }) => {
    const create = () => ({ driver: wrap(createMemoryArchival({ dimension: 4 })), dimension: 4 });
    expect(await failures(create, archivalCases)).toEqual(mustFail);
  });
});

describe('the rows of a rebuild', () => {
  const cases = archivalCases.filter(({ name }) => name.startsWith('rebuild:'));
  const setup =
    (alter: (good: Shelf) => Shelf = (good) => good) =>
    () => {
      const shelf = alter(createShelf((dimension) => createMemoryArchival({ dimension })));
      const resized = (dimension: number) => driverOn(shelf, dimension);
      return { driver: resized(4), dimension: 4, resized };
    };

  it('let a driver pass that does it well', async () => {
    expect(await failures(setup(), cases)).toEqual([]);
  });

  it.each(brokenRebuilds)('notice one that breaks one rule: $rule', async ({ wrap, mustFail }) => {
    expect(await failures(setup(wrap), cases)).toEqual(mustFail);
  });

  it('are each needed by a rule', () => {
    const noticed = new Set(brokenRebuilds.flatMap(({ mustFail }) => mustFail));
    expect([...noticed].sort()).toEqual(cases.map(({ name }) => name).sort());
  });
});
