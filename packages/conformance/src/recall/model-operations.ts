import type { Commit, LogEntry, Pid, RecallDriver } from '@pagefault/contracts';
import fc from 'fast-check';
import { document } from './document.js';
import { ADA, alone, BOB, entry, text } from './instance.js';

/** Bob's own log begins after this position of Ada's. */
export const FORK_AT = 2;

/** A driver under comparison. Fences differ between drivers, so each keeps its own by owner. */
export interface Session {
  readonly driver: RecallDriver;
  readonly fences: Record<string, number>;
}

export type Operation = CommitOperation | LeaseOperation | EraseOperation;

interface EraseOperation {
  readonly type: 'erase';
  readonly pid: Pid;
  /** Undefined: the whole process. */
  readonly seqs: readonly number[] | undefined;
}

interface LeaseOperation {
  readonly type: 'acquire' | 'release';
  readonly pid: Pid;
  readonly owner: string;
}

/** A commit in terms of what is stored already, so that most of them are legal and some are not. */
interface CommitOperation {
  readonly type: 'commit';
  readonly pid: Pid;
  readonly messages: readonly { readonly words: string; readonly at: number; readonly isIndexed: boolean }[];
  /** Added to the first position: anything but 0 is a conflict once the log has begun. */
  readonly skip: number;
  readonly isIdReused: boolean;
  readonly rows: readonly {
    readonly row: RowName;
    readonly value: number | undefined;
    readonly dueAt: number;
  }[];
  readonly expect: readonly { readonly row: RowName; readonly version: number }[];
  readonly fenceOf: string | undefined;
}

type RowName = readonly [space: string, key: string];

const pid = fc.constantFrom(ADA, BOB);
const owner = fc.constantFrom('k1', 'k2');
const row = fc.tuple(fc.constantFrom('inbox', 'state'), fc.constantFrom('a', 'B', '%', ''));
const rare = fc.integer({ min: 0, max: 9 }).map((n) => n === 0);

const commit: fc.Arbitrary<Operation> = fc.record({
  type: fc.constant('commit' as const),
  pid,
  messages: fc.array(
    fc.record({
      words: fc.string({ minLength: 1, unit: fc.constantFrom('x', 'y', 'z') }),
      at: fc.nat(6),
      isIndexed: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  skip: rare.map((isRare) => (isRare ? 1 : 0)),
  isIdReused: rare,
  rows: fc.uniqueArray(
    fc.record({ row, value: fc.option(fc.nat(9), { nil: undefined, freq: 3 }), dueAt: fc.nat(9) }),
    { maxLength: 4, selector: ({ row: name }) => name.join('/') },
  ),
  expect: fc.array(fc.record({ row, version: fc.nat(2) }), { maxLength: 1 }),
  fenceOf: fc.option(owner, { nil: undefined }),
});

const lease: fc.Arbitrary<Operation> = fc.record({
  type: fc.constantFrom('acquire' as const, 'release' as const),
  pid,
  owner,
});

const erasure: fc.Arbitrary<Operation> = fc.record({
  type: fc.constant('erase' as const),
  pid,
  seqs: fc.option(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }), { nil: undefined, freq: 3 }),
});

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 12, arbitrary: commit },
  { weight: 4, arbitrary: lease },
  { weight: 2, arbitrary: erasure },
);

/** What is comparable of the outcome. */
export async function perform(session: Session, each: Operation): Promise<unknown> {
  const { driver } = session;
  if (each.type === 'erase') return erase(session, each);
  if (each.type === 'commit') return driver.commit(await commitOf(session, each));
  if (each.type === 'release') return driver.releaseLease(each.pid, each.owner);
  const granted = await driver.acquireLease(each.pid, each.owner, 3_600_000);
  if (granted) session.fences[`${each.pid} ${each.owner}`] = granted.fence;
  return granted !== undefined;
}

// Fences from before an erasure are worth nothing, and are not compared.
async function erase({ driver, fences }: Session, { pid: erased, seqs }: EraseOperation): Promise<number> {
  if (seqs) return driver.erase({ pid: erased, seqs });
  for (const held of Object.keys(fences)) if (held.startsWith(erased)) delete fences[held];
  return driver.erase({ pid: erased, whole: true });
}

async function commitOf({ driver, fences }: Session, each: CommitOperation): Promise<Commit> {
  const { lastSeq } = await driver.stats(alone(each.pid));
  const first = lastSeq === 0 ? firstOf(each.pid) : lastSeq + 1 + each.skip;
  const appends = each.messages.map(({ words, at }, i): LogEntry => {
    const id = each.isIdReused ? `m${firstOf(each.pid)}` : `m${first + i}`;
    return entry(first + i, { id, at, parts: [text(words)] });
  });
  const rows = each.rows.map(({ row: [space, key], value, dueAt }) => ({ space, key, value, dueAt }));
  const fence = each.fenceOf === undefined ? undefined : (fences[`${each.pid} ${each.fenceOf}`] ?? 0);
  return {
    pid: each.pid,
    appends,
    documents: each.messages.flatMap(({ words, isIndexed }, i) => {
      const seq = first + i;
      return isIndexed ? [document(seq - 1, seq, [[words.slice(0, 1), words.length]])] : [];
    }),
    puts: rows.flatMap(({ value, dueAt, ...name }) =>
      value === undefined ? [] : [{ ...name, value, ...(dueAt > 6 ? {} : { dueAt }) }],
    ),
    deletes: rows.filter(({ value }) => value === undefined).map(({ space, key }) => ({ space, key })),
    expect: each.expect.map(({ row: [space, key], version }) => ({ space, key, version })),
    ...(fence === undefined ? {} : { fence }),
  };
}

function firstOf(process: Pid): number {
  return process === ADA ? 1 : FORK_AT + 1;
}
