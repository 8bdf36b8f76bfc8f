// Opens a store, loses its folder, tells how the next statement ends, and leaves without closing.
import { rmSync } from 'node:fs';
import { PagefaultError } from '@pagefault/contracts';
import { createPgliteSql } from '@pagefault/driver-pglite';

const dataDir = process.argv[2] ?? '';
const sql = createPgliteSql({ dataDir });
await sql.open();
rmSync(dataDir, { recursive: true });
const error: unknown = await sql.query('create table lost (id int)').then(
  () => undefined,
  (reason: unknown) => reason,
);
console.log(PagefaultError.is(error) ? error.code : String(error));
