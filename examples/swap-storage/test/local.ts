/** The example with a PostgreSQL server of its own, when there are its programs, and a double of Qdrant. */
import { findPostgres, startPostgres, startQdrantDouble } from '@pagefault/doubles';

const bin = findPostgres();
const server = bin === undefined ? undefined : await startPostgres(bin, ['-c fsync=off']);
const qdrant = await startQdrantDouble();
if (server) process.env['PAGEFAULT_PG_URL'] = server.url;
process.env['PAGEFAULT_ARCHIVAL'] = qdrant.url.replace('http', 'qdrant');
try {
  await import('../src/index.js');
} finally {
  await qdrant.close();
  await server?.remove();
}
