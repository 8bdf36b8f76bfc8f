/**
 * Commits message after message under a lease, and says as JSON lines which were acknowledged. It kills itself at a
 * boundary of its n-th commit, or never (`server`). A failure of the server is borne: it reads what is there, and goes on from it.
 */
import { hasCode, LATEST, type Lease, type RecallDriver } from '@pagefault/contracts';
import type { SqlPort, SqlResult, SqlValue } from '@pagefault/driver-kit';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { createPgSql, createPostgresRecall } from '@pagefault/driver-recall-postgres';

const [url = '', owner = '', boundary = 'server', at = '0', ttl = '0'] = process.argv.slice(2);
const PID = 'p';

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
}

/** Dies at its boundary of the n-th statement that calls the function of that name. */
function mortal(port: SqlPort, name: string): SqlPort {
  let calls = 0;
  const query = async <R>(text: string, values?: readonly SqlValue[]): Promise<SqlResult<R>> => {
    const isLast = boundary !== 'server' && text.includes(name) && (calls += 1) === Number(at);
    if (isLast && boundary === 'before') return die();
    const answer = port.query<R>(text, values);
    if (!isLast) return answer;
    // The statement is on its way once the loop turned; the answer may be there already, or not.
    if (boundary === 'sent') return turn().then(die);
    await answer;
    return die();
  };
  return {
    description: port.description,
    supports: port.supports,
    open: () => port.open(),
    close: () => port.close(),
    query,
    transaction: (work) => port.transaction(work),
  };
}

async function lease(recall: RecallDriver): Promise<Lease> {
  for (;;) {
    const granted = await recall.acquireLease(PID, owner, Number(ttl));
    if (granted !== undefined) return granted;
    await delay(10);
  }
}

function commit(recall: RecallDriver, seq: number, fence: number): Promise<void> {
  const id = `m${seq}`;
  return recall.commit({
    pid: PID,
    fence,
    expect: [{ space: 'state', key: 'count', version: seq - 1 }],
    appends: [
      {
        seq,
        page: seq,
        message: { id, role: 'user', at: seq, parts: [{ type: 'text', text: `Message ${seq}.` }] },
      },
    ],
    puts: [{ space: 'state', key: 'count', value: seq }],
    documents: [
      {
        collection: 'messages',
        ordinal: seq - 1,
        seq,
        ref: id,
        session: '',
        speaker: '',
        at: seq,
        length: 1,
        terms: [['message', 1]],
      },
    ],
  });
}

const RENEW_EVERY = 5;

async function work(recall: RecallDriver): Promise<never> {
  await recall.open();
  const { fence } = await lease(recall);
  say({ fence });
  let { lastSeq } = await recall.stats([{ pid: PID, upTo: LATEST }]);
  say({ found: lastSeq });
  for (;;) {
    await commit(recall, lastSeq + 1, fence);
    lastSeq += 1;
    say({ acked: lastSeq });
    if (lastSeq % RENEW_EVERY === 0) await recall.acquireLease(PID, owner, Number(ttl));
  }
}

const sql = mortal(
  createPgSql({ connectionString: url, maxConnections: 2 }),
  boundary === 'lease' ? 'acquire_lease(' : '.commit(',
);
const recall = createPostgresRecall({ sql, schema: 'crash' });
for (;;) {
  try {
    await work(recall);
  } catch (error) {
    if (!hasCode(error, 'E_STORAGE') || !error.retryable) throw error;
    say({ failed: error.message });
    await delay(20);
  }
}
