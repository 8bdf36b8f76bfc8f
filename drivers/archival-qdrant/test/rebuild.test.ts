/** What rebuilds leave behind, and what is left alone. */
import type { QdrantDouble } from '@pagefault/doubles';
import { describe, expect, it } from 'vitest';
import { qdrantStacks } from './support.js';

const stacks = qdrantStacks();
const SCOPE = 'recall/p/f';
const names = (double: QdrantDouble): string[] => [...double.state.keys()].sort();
const opened = async (double: QdrantDouble, dimension: number, collection = 'pagefault'): Promise<void> => {
  const driver = stacks.driver({ url: double.url, dimension, collection });
  await driver.open();
  await driver.close();
};

/** A store of two numbers a vector, and a rebuild to three that was stopped half-way. */
async function stopped(): Promise<QdrantDouble> {
  const double = await stacks.double();
  await opened(double, 2);
  const wider = stacks.driver({ url: double.url, dimension: 3 });
  expect(await wider.rebuild?.()).toBe(2);
  await wider.upsert(SCOPE, [{ id: 'a', vector: Float32Array.of(1, 0, 0), at: 0 }]);
  await wider.close();
  expect(names(double)).toEqual(['pagefault', 'pagefault.of-3']);
  return double;
}

describe('what a rebuild on Qdrant leaves', () => {
  it('is removed when the former embedder is gone back to', async () => {
    const double = await stopped();
    await opened(double, 2);
    expect(names(double)).toEqual(['pagefault']);
  });

  it('stays while nobody opens the old collection, and goes with a rebuild to a third dimension', async () => {
    const double = await stopped();
    await expect(opened(double, 3)).rejects.toMatchObject({ code: 'E_DIMENSION' });
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-3']);
    const widest = stacks.driver({ url: double.url, dimension: 4 });
    await widest.rebuild?.();
    await widest.finishRebuild?.();
    await opened(double, 4);
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-4']);
  });

  it('is removed by the next who opens when a second rebuild was cut off before the removal of the first one’s', async () => {
    const double = await stopped();
    const wider = stacks.driver({ url: double.url, dimension: 3 });
    await wider.rebuild?.();
    await wider.finishRebuild?.();
    const widest = stacks.driver({ url: double.url, dimension: 4, attempts: 1 });
    expect(await widest.rebuild?.()).toBe(3);
    double.fail({ kind: 'reset', on: /^DELETE / });
    await expect(widest.finishRebuild?.()).rejects.toMatchObject({ retryable: true });
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-3', 'pagefault.of-4']);
    await opened(double, 4);
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-4']);
  });

  it('is nothing that another hand made, that has another name, or that is named by somebody', async () => {
    const double = await stacks.double();
    await opened(double, 2);
    const foreign = { size: 5, distance: 'Cosine' };
    const put = (path: string, body: object, method = 'PUT') =>
      fetch(new URL(path, double.url), {
        method,
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    await put('/collections/pagefault.of-5', { vectors: foreign });
    for (const name of [
      'other.of-3',
      'pagefault.of-3x',
      'pagefault.of-7',
      'pagefault.of-3',
      'pagefaultXof-3',
    ])
      await opened(double, 3, name);
    const create_alias = { collection_name: 'pagefault.of-3', alias_name: 'mine' };
    await put('/collections/aliases', { actions: [{ create_alias }] }, 'POST');
    const before = names(double);
    expect(before).toEqual(expect.arrayContaining(['pagefault.of-3', 'pagefault.of-5', 'mine']));
    await opened(double, 2);
    expect(names(double)).toEqual(before);
  });

  it('is passed over where the key may not list collections', async () => {
    const double = await stopped();
    double.failAlways({ kind: 'status', status: 403, on: /^GET \/collections$/ });
    await opened(double, 2);
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-3']);
  });

  it('is not taken from who opens an empty store while another is at the end of a rebuild', async () => {
    const double = await stopped();
    double.state.delete('pagefault');
    await opened(double, 2);
    expect(names(double)).toEqual(['pagefault', 'pagefault.of-3']);
  });
});
