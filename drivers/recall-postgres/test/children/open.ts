/** Opens recall and commits once. With a number of statements as third argument, it stops for ever after so many of a migration. */
import type { SqlPort } from '@pagefault/driver-kit';
import { createPgSql, createPostgresRecall } from '@pagefault/driver-recall-postgres';

const [url = '', schema = '', stopAfter = '0'] = process.argv.slice(2);
const sql = createPgSql({ connectionString: url });

function stopping(port: SqlPort, after: number): SqlPort {
  let sent = 0;
  return {
    description: port.description,
    supports: port.supports,
    open: () => port.open(),
    close: () => port.close(),
    query: (text, values) => port.query(text, values),
    transaction: (work) =>
      port.transaction((session) =>
        work({
          async query(text, values) {
            const result = await session.query(text, values);
            sent += 1;
            if (sent === after) await stop();
            return result as never;
          },
        }),
      ),
  };
}

function stop(): Promise<never> {
  process.stdout.write('stopped\n');
  return new Promise(() => undefined);
}

const recall = createPostgresRecall({ sql: stopping(sql, Number(stopAfter)), schema });
await recall.open();
await recall.commit({ pid: `p${process.pid}` });
process.stdout.write('ready\n');
await recall.close();
await sql.close();
