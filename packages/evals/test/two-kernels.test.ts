/**
 * Two kernels on one PostgreSQL, in processes of their own, share eight processes; callers turn to the other kernel when one
 * does not hold the process, or is gone. `npm run soak` asks 2,000 messages, `npm test` fewer.
 */
import { findPostgres, type PostgresServer, startPostgres } from '@pagefault/doubles';
import { createPgSql, createPostgresRecall } from '@pagefault/driver-recall-postgres';
import type { LogEntry, RecallDriver } from '@pagefault/contracts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Child, startScript } from './support/child.js';
import { temporaryFolder } from './support/folder.js';
import { pidOf, rowsOf, textOf, wholeLog } from './support/store.js';

const PROCESSES = Array.from({ length: 8 }, (_, i) => `p${i}`);
const CALLERS = 16;
const MESSAGES = Number(process.env['PAGEFAULT_MESSAGES'] ?? 64);
const EACH = MESSAGES / CALLERS;

interface Line {
  readonly ready?: true;
  readonly spawned?: string;
  readonly id?: string;
  readonly text?: string;
  readonly failed?: string;
}

/** A kernel in a process of its own, and who waits for its answers. */
class Kernel {
  readonly child: Child;
  readonly #waiting = new Map<string, (line: Line) => void>();
  /** Asked for at once: the second kernel may be ready before the first. */
  readonly ready: Promise<Line> = this.#next('ready');
  isGone = false;

  constructor(url: string, cwd: string) {
    this.child = startScript('kernel', [url], { cwd, keepsInput: true });
    void this.#listen();
  }

  spawn(name: string): Promise<Line> {
    this.#write({ spawn: name });
    return this.#next('spawned');
  }

  /** Undefined when this kernel did not answer: it does not hold the process, or is gone. */
  async ask(process: string, id: string): Promise<string | undefined> {
    if (this.isGone) return undefined;
    const answer = this.#next(id);
    this.#write({ process, id });
    const { text, failed } = await answer;
    if (failed !== undefined) expect(['E_LEASE_LOST', 'gone']).toContain(failed);
    return text;
  }

  kill(): void {
    this.child.process.kill('SIGKILL');
  }

  #next(key: string): Promise<Line> {
    return new Promise((resolve) => this.#waiting.set(key, resolve));
  }

  #write(line: object): void {
    this.child.process.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  async #listen(): Promise<void> {
    for (;;) {
      const { value, done } = await this.child.lines.next();
      if (done === true) break;
      const line = JSON.parse(value) as Line;
      this.#settle(line.id ?? (line.ready === undefined ? 'spawned' : 'ready'), line);
    }
    this.isGone = true;
    for (const key of this.#waiting.keys()) this.#settle(key, { failed: 'gone' });
  }

  #settle(key: string, line: Line): void {
    const resolve = this.#waiting.get(key);
    this.#waiting.delete(key);
    resolve?.(line);
  }
}

const bin = findPostgres();
const folder = temporaryFolder();

describe(`two kernels on one PostgreSQL (${MESSAGES} messages; PAGEFAULT_MESSAGES sets how many)`, () => {
  if (bin === undefined)
    it('share processes', ({ skip }) =>
      skip('no PostgreSQL is installed; PAGEFAULT_PG_BIN names its folder'));
  else
    it(
      'answer each message once, in order per caller, though one is killed in the middle (invariant 3, C03, C08, C26)',
      async () => {
        const server = await startPostgres(bin, ['-c fsync=off']);
        try {
          await share(server);
        } finally {
          await server.remove();
        }
      },
      Math.max(180_000, MESSAGES * 1_500),
    );
});

async function share(server: PostgresServer): Promise<void> {
  const limits = { leaseMs: 1_000, idleMs: 500 };
  writeFileSync(join(folder, 'two-kernels.json'), JSON.stringify({ limits }));
  const kernels = [new Kernel(server.url, folder), new Kernel(server.url, folder)] as const;
  for (const kernel of kernels) expect(await kernel.ready).toEqual({ ready: true });
  for (const name of PROCESSES) expect(await kernels[0].spawn(name)).toHaveProperty('spawned');
  let answered = 0;
  const answers = new Map<string, string>();
  const call = async (caller: number): Promise<void> => {
    for (let n = 0; n < EACH; n += 1) {
      const id = idOf(caller, n);
      answers.set(id, await answerOf(kernels, caller, id));
      answered += 1;
      if (answered === Math.floor(MESSAGES / 2)) kernels[0].kill();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  kernels[1].child.process.stdin?.end();
  expect(await kernels[0].child.ended).toMatchObject({ status: 'SIGKILL', stderr: '' });
  expect(await kernels[1].child.ended).toMatchObject({ status: 0, stderr: '' });
  expect(answers.size).toBe(MESSAGES);
  for (const [id, text] of answers) expect(text).toBe(`Answer to question ${id}`);
  await check(server.url);
}

const idOf = (caller: number, n: number): string => `c${caller}-${n}`;
const processOf = (caller: number): string => PROCESSES[caller % PROCESSES.length] ?? '';

/** Half of the callers begin with one kernel, half with the other; both have a caller for each process. */
async function answerOf(kernels: readonly Kernel[], caller: number, id: string): Promise<string> {
  for (let turn = caller < CALLERS / 2 ? 0 : 1; ; turn += 1) {
    const text = await kernels[turn % kernels.length]?.ask(processOf(caller), id);
    if (text !== undefined) return text;
    // Neither may hold it for the time of a lease that nobody renews any more.
    await delay(20);
  }
}

async function check(url: string): Promise<void> {
  const sql = createPgSql({ connectionString: url });
  const recall = createPostgresRecall({ sql });
  await recall.open();
  for (const name of PROCESSES) await checkProcess(recall, name);
  await recall.close();
  await sql.close();
}

async function checkProcess(recall: RecallDriver, name: string): Promise<void> {
  const pid = (await pidOf(recall, name)) ?? '';
  expect(await rowsOf(recall, pid, 'inbox')).toEqual([]);
  const log = await wholeLog(recall, pid);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
  const asked = log.flatMap(({ message }) => (message.role === 'user' ? [message.id] : []));
  const callers = Array.from({ length: CALLERS }, (_, caller) => caller).filter((c) => processOf(c) === name);
  for (const caller of callers) {
    const ids = Array.from({ length: EACH }, (_, n) => idOf(caller, n));
    expect(asked.filter((id) => id.startsWith(`c${caller}-`))).toEqual(ids);
  }
  expect(asked).toHaveLength(callers.length * EACH);
  // Each answer stands where its question was asked: no other comes between.
  expect(answersIn(log)).toEqual(asked);
}

function answersIn(log: readonly LogEntry[]): string[] {
  return log.flatMap(({ message }) =>
    message.parts.flatMap((part) =>
      part.type === 'call' && part.name === 'send_message'
        ? [/question ([\w-]+)/.exec(part.arguments)?.[1] ?? textOf({ seq: 0, page: 0, message })]
        : [],
    ),
  );
}
