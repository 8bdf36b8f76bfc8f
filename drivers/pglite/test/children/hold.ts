// Opens the directory given, says so, and holds it until it is killed or its standard output is gone.
import { createPgliteSql } from '@pagefault/driver-pglite';

const sql = createPgliteSql({ dataDir: process.argv[2] ?? '' });
await sql.open();
console.log('open');
setInterval(() => undefined, 1_000);
