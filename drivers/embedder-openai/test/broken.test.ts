import { embedderCases, runCase } from '@pagefault/conformance';
import { brokenEmbedders } from '@pagefault/conformance/broken';
import { describe, expect, it } from 'vitest';
import { createInstance, type DoubleInstance } from './instance.js';

describe('the embedder suite notices a driver that breaks one rule', () => {
  it.each(brokenEmbedders)('$rule', async ({ wrap, mustFail }) => {
    const create = async (): Promise<DoubleInstance> => {
      const instance = await createInstance();
      return { ...instance, driver: wrap(instance.driver) };
    };
    const failed: string[] = [];
    // What waits for an abort waits for ever on a driver that does not know of it.
    const cases = embedderCases.filter(({ name }) => mustFail.includes(name) || !/nothing comes/.test(name));
    for (const each of cases)
      await runCase({ create, destroy: (instance) => (instance as DoubleInstance).end() }, each).catch(() =>
        failed.push(each.name),
      );
    expect(failed).toEqual(mustFail);
  });
});
