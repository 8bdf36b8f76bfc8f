import type { Initializer } from '@pagefault/conformance';
import { createMemoryArchival, createMemoryRecall } from '../../src/index.js';

export default [
  {
    kind: 'recall',
    name: 'memory recall',
    create() {
      let clock = Date.UTC(2026, 0, 1);
      const driver = createMemoryRecall({ now: () => clock });
      return { driver, advance: (by) => void (clock += by) };
    },
    unopened: () => createMemoryRecall(),
    reference: () => createMemoryRecall(),
  },
  {
    kind: 'archival',
    name: 'memory archival',
    create: () => ({ driver: createMemoryArchival({ dimension: 4 }), dimension: 4 }),
  },
] satisfies readonly Initializer[];
