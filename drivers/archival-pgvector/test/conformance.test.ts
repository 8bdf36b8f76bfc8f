import { conformArchival } from '@pagefault/conformance';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll } from 'vitest';
import { createPgvectorArchival } from '../src/index.js';

// One database for the file, a schema for each case: a database takes seconds, a schema milliseconds.
const sql = createPgliteSql({ dataDir: MEMORY });
const dimension = 4;
let cases = 0;

beforeAll(() => sql.open());
afterAll(() => sql.close());

conformArchival({
  name: 'pgvector on PGlite',
  create: () => ({
    driver: createPgvectorArchival({ sql, dimension, schema: `case_${(cases += 1)}` }),
    dimension,
  }),
  destroy: async () => {
    await sql.query(`drop schema if exists case_${cases} cascade`);
  },
  unopened: () => createPgvectorArchival({ sql, dimension, schema: 'never' }),
});
