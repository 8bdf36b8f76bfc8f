// Opens a store, uses it, and never closes it: must end by itself, without a word on standard error.
import { createPgliteSql } from '@pagefault/driver-pglite';

const sql = createPgliteSql({ dataDir: process.argv[2] ?? '' });
await sql.open();
await sql.query('create table forgotten (id int)');
console.log('done');
