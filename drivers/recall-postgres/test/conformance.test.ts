import { conformRecall } from '@pagefault/conformance';
import { createMemoryRecall } from '@pagefault/driver-memory';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll } from 'vitest';
import { createPostgresRecall } from '../src/index.js';

// One database for the file, a schema for each case: a database takes seconds, a schema milliseconds.
const sql = createPgliteSql({ dataDir: MEMORY });
let cases = 0;

beforeAll(() => sql.open());
afterAll(() => sql.close());

conformRecall({
  name: 'postgres on PGlite',
  create: () => ({ driver: createPostgresRecall({ sql, schema: `case_${(cases += 1)}` }) }),
  destroy: async () => {
    await sql.query(`drop schema if exists case_${cases} cascade`);
  },
  unopened: () => createPostgresRecall({ sql, schema: 'never' }),
  reference: () => createMemoryRecall(),
});
