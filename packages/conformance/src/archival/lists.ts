import type { ArchivalDriver } from '@pagefault/contracts';
import { rejects, same } from '../check.js';
import { ADA, type ArchivalCase, at, BOB, entry } from './instance.js';

/** `between` is done after each slice but the last. */
async function listed(
  driver: ArchivalDriver,
  limit: number,
  between: (slice: number) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  for (let slice = 0; ; slice += 1) {
    const { items, cursor } = await driver.list(ADA, { limit, ...(after !== undefined && { after }) });
    found.push(...items);
    if (cursor === undefined) return found;
    await between(slice);
    after = cursor;
  }
}

const NAMES = ['b', 'a', 'Z', 'a-b', 'ab', '10', '9', 'é', '😀', "'", 'a '];

export const lists: readonly ArchivalCase[] = [
  {
    name: 'list: all ids of one scope, each once, whatever the size of the slices',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, NAMES.map((id) => entry(id, at(dimension, 1)))); // prettier-ignore
      await driver.upsert(BOB, [entry('other', at(dimension, 1))]);
      for (const limit of [1, 2, NAMES.length, 10_000])
        same((await listed(driver, limit)).sort(), [...NAMES].sort());
      same(await driver.list(`${ADA}/none`, { limit: 5 }), { items: [] });
    },
  },
  {
    name: 'list: what is there throughout is neither left out nor repeated while others come and go (D15)',
    async run({ driver, dimension }) {
      const steady = Array.from({ length: 60 }, (_, i) => `s${i}`);
      const leaving = Array.from({ length: 60 }, (_, i) => `l${i}`);
      await driver.upsert(ADA, [...steady, ...leaving].map((id) => entry(id, at(dimension, 1)))); // prettier-ignore
      const found = await listed(driver, 7, async (slice) => {
        await driver.remove(ADA, leaving.slice(slice * 4, slice * 4 + 4));
        await driver.upsert(ADA, [entry(`new${slice}`, at(dimension, 1)), entry('s3', at(dimension, 2))]);
      });
      same(found.filter((id) => id.startsWith('s')).sort(), [...steady].sort());
      same(new Set(found).size, found.length);
    },
  },
  {
    name: 'list: a cursor that is none of the driver’s own is E_INVALID',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('a', at(dimension, 1)), entry('b', at(dimension, 1))]);
      for (const after of ['', 'nonsense', '[1,2,3]'])
        await rejects('E_INVALID', driver.list(ADA, { limit: 1, after }));
    },
  },
];
