import { conformArchival } from '@pagefault/conformance';
import type { SqlPort } from '@pagefault/driver-kit';
import { createPgliteSql, MEMORY } from '@pagefault/driver-pglite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createPgvectorArchival } from '../src/index.js';
import { findServer } from './support/server.js';
import { makeIndexNow } from './support/vectors.js';

const dimension = 4;

/** One database for all, a schema for each case: a database takes seconds, a schema milliseconds. */
function onDatabase(place: string, sql: SqlPort): void {
  const prefix = `vectors_${place.toLowerCase().replaceAll(' ', '_')}`;
  let cases = 0;
  const destroy = async (): Promise<void> => {
    await sql.query(`drop schema if exists ${prefix}_${cases} cascade`);
  };
  conformArchival({
    name: `pgvector ${place}`,
    create: () => {
      const schema = `${prefix}_${(cases += 1)}`;
      const resized = (other: number) => createPgvectorArchival({ sql, dimension: other, schema });
      return { driver: resized(dimension), dimension, resized };
    },
    destroy,
    unopened: () => createPgvectorArchival({ sql, dimension, schema: 'never' }),
  });
  // The same promises where every scope is searched by the index, from the first vector on. Filling an index with
  // thousands of vectors takes long, and says nothing that a few do not.
  conformArchival({
    name: `pgvector ${place}, by its index,`,
    create: async () => {
      const schema = `${prefix}_${(cases += 1)}`;
      await sql.open();
      await makeIndexNow(sql, schema, dimension);
      const resized = (other: number) =>
        createPgvectorArchival({ sql, dimension: other, schema, indexFrom: 1 });
      return { driver: resized(dimension), dimension, resized };
    },
    destroy,
    test: (title, run) => {
      if (!title.startsWith('batch:')) it(title, run);
    },
  });
}

const embedded = createPgliteSql({ dataDir: MEMORY });
beforeAll(() => embedded.open());
afterAll(() => embedded.close());
onDatabase('on PGlite', embedded);

const { sql, lack } = await findServer();
afterAll(() => sql?.close());
if (sql === undefined) it('pgvector on a server', ({ skip }) => skip(lack));
else describe('with a server', () => onDatabase('on a server', sql));
