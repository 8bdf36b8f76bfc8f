import { conformArchival, conformRecall, type RecallInstance } from '@pagefault/conformance';
import { createMemoryArchival, createMemoryRecall } from '../src/index.js';

function createRecall(): RecallInstance {
  let clock = Date.UTC(2026, 0, 1);
  const driver = createMemoryRecall({ now: () => clock });
  return { driver, advance: (by) => void (clock += by) };
}

conformRecall({
  name: 'memory recall',
  create: createRecall,
  unopened: () => createMemoryRecall(),
  reference: () => createMemoryRecall(),
});

conformArchival({
  name: 'memory archival',
  create: () => ({ driver: createMemoryArchival({ dimension: 4 }), dimension: 4 }),
  unopened: () => createMemoryArchival({ dimension: 4 }),
});
