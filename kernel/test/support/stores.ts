/** The stores that a test of storage runs on: plain memory, and the embedded database. */
import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { createPostgresRecall } from '@pagefault/driver-recall-postgres';
import { afterAll, beforeAll, describe } from 'vitest';

/** Runs the tests once on each store; `createRecall` gives an empty one that outlives its kernels. */
export function onEachStore(
  title: string,
  tests: (createRecall: () => RecallDriver, store: 'memory' | 'embedded') => void,
): void {
  describe(`${title} (memory)`, () => tests(() => createMemoryRecall(), 'memory'));
  describe(`${title} (embedded store)`, () => {
    // One database for all: it takes a second to open, a schema milliseconds.
    const sql = createPgliteSql({ dataDir: MEMORY });
    let schemas = 0;
    beforeAll(() => sql.open());
    afterAll(() => sql.close());
    tests(() => createPostgresRecall({ sql, schema: `s${(schemas += 1)}` }), 'embedded');
  });
}
