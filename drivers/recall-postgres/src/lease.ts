import type { Lease, Milliseconds, Pid } from '@pagefault/contracts';
import type { SqlPort } from '@pagefault/driver-kit';

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
