// Writes rows for ever, every fifth time in a transaction of two; says each id once it is acknowledged.
import { createPgliteSql } from '@pagefault/driver-pglite';

const sql = createPgliteSql({ dataDir: process.argv[2] ?? '' });
await sql.open();
await sql.query('create table if not exists kept (id int primary key, pair int)');
const { rows } = await sql.query<{ last: number }>('select coalesce(max(id), 0) as last from kept');
for (let id = (rows[0]?.last ?? 0) + 1; ; id += 2) {
  await sql.transaction(async (session) => {
    await session.query('insert into kept values ($1, $2)', [id, id + 1]);
    await session.query('insert into kept values ($1, $2)', [id + 1, id]);
  });
  console.log(id);
}
