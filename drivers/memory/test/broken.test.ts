import { archivalCases, type ConformanceCase, modelCase, recallCases, runCase } from '@pagefault/conformance';
import { brokenArchivals, brokenRecalls } from '@pagefault/conformance/broken';
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
