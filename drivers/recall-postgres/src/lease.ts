import type { Lease, Milliseconds, Pid } from '@pagefault/contracts';
import type { SqlPort, SqlSession } from '@pagefault/driver-kit';

export async function acquireLease(
  sql: SqlPort,
  schema: string,
  pid: Pid,
  owner: string,
  ttl: Milliseconds,
): Promise<Lease | undefined> {
  const { rows } = await sql.query<{ granted_fence: number; granted_until: number }>(
    `select * from ${schema}.acquire_lease($1, $2, $3)`,
    [pid, owner, ttl],
  );
  const [granted] = rows;
  return granted && { fence: granted.granted_fence, expiresAt: granted.granted_until };
}

export async function releaseLease(sql: SqlPort, schema: string, pid: Pid, owner: string): Promise<void> {
  await sql.query(
    `update ${schema}.processes set fence = null, owner = null, expires_at = null where pid = $1 and owner = $2`,
    [pid, owner],
  );
}

/** The row of the process goes first: whoever commits at the same time waits, and then finds nothing to add to. */
export async function eraseProcess(sql: SqlPort, schema: string, pid: Pid): Promise<number> {
  return sql.transaction(async (session: SqlSession) => {
    const found = await session.query<{ num: number }>(
      `delete from ${schema}.processes where pid = $1 returning num`,
      [pid],
    );
    await session.query(`delete from ${schema}.rows where pid = $1`, [pid]);
    const num = found.rows[0]?.num;
    if (num === undefined) return 0;
    await session.query(`delete from ${schema}.documents where num = $1`, [num]);
    await session.query(`delete from ${schema}.postings where num = $1`, [num]);
    return (await session.query(`delete from ${schema}.log where num = $1`, [num])).affected;
  });
}
