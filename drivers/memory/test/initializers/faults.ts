import { createServer } from 'node:net';
import type { Initializer } from '@pagefault/conformance';
import type { ArchivalDriver } from '@pagefault/contracts';
import { createMemoryArchival } from '../../src/index.js';

function initializer(name: string, fault: (good: ArchivalDriver) => Partial<ArchivalDriver>): Initializer {
  return {
    kind: 'archival',
    name,
    create() {
      const good = createMemoryArchival({ dimension: 4 });
      return { driver: { ...good, ...fault(good) }, dimension: 4 };
    },
  };
}

/** Faults that a test runner itself must survive. */
export default [
  initializer('hangs', (good) => ({
    list: async (scope, query, signal) =>
      query.after === 'nonsense' ? new Promise(() => undefined) : good.list(scope, query, signal),
  })),
  initializer('throws outside', (good) => ({
    async upsert(scope, entries, signal) {
      await good.upsert(scope, entries, signal);
      if (entries.length === 0) void Promise.reject(new Error('a lost socket'));
    },
  })),
  initializer('stays open', (good) => ({
    async count(scope, signal) {
      createServer().listen(0);
      return good.count(scope, signal);
    },
  })),
] satisfies readonly Initializer[];
