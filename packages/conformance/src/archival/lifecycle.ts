import { checkHead, rejects, same } from '../check.js';
import { ADA, type ArchivalCase, entry, vector } from './instance.js';
import { operations } from './operations.js';

const METHODS = ['upsert', 'query', 'remove', 'count', 'list'];

export const lifecycle: readonly ArchivalCase[] = [
  {
    name: 'manifest: the head is complete, the manifest frozen and the dimension told',
    async run({ driver, dimension }) {
      checkHead(driver, 'archival', METHODS);
      same([driver.supports.dimension, typeof driver.supports.exact], [dimension, 'boolean']);
    },
  },
  {
    name: 'lifecycle: open and close may be called twice',
    async run({ driver }) {
      await driver.open();
      same(await driver.count(ADA), 0);
      await driver.close();
      await driver.close();
    },
  },
  {
    name: 'lifecycle: every operation is refused after close',
    async run({ driver, dimension }) {
      await driver.close();
      for (const work of operations(driver, dimension)) await rejects('E_NOT_OPEN', work());
    },
  },
  {
    name: 'lifecycle: a closed driver can be opened again',
    async run({ driver }) {
      await driver.close();
      await driver.open();
      same(await driver.count(ADA), 0);
    },
  },
  {
    name: 'abort: an operation whose signal is aborted before it starts is E_ABORTED and writes nothing',
    async run({ driver, dimension }) {
      await driver.upsert(ADA, [entry('kept', vector(dimension, 1))]);
      const aborted = AbortSignal.abort();
      for (const work of operations(driver, dimension, aborted)) await rejects('E_ABORTED', work());
      await rejects('E_ABORTED', driver.remove(ADA, 'all', aborted));
      same(await driver.count(ADA), 1);
    },
  },
];
