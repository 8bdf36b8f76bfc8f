/**
 * Brings everything of one store to another: shared blocks, then processes, oldest first. A process is seen in the target
 * when all of it is there and was compared, so whatever cuts the migration off, it is begun again and goes on. What is in
 * the target already is compared and never written over. The source is only read.
 *
 * Vectors stay behind: they belong to an index and an embedder, and are made again from the texts.
 */
import type { OwnedRow, Pid, RecallDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { OWNER_SPACES } from '../spaces.js';
import { allRows, PROCESS_ROW, type ProcessRecord } from '../storage.js';
import { copyOwned, type Stores } from './copying.js';
import { type Inventory, takeInventory } from './entries.js';

export interface MigratedOwner extends Inventory {
  readonly pid: Pid;
  /** Undefined for a shared block. */
  readonly name?: string;
  /** `there`: it was in the target already, the same. `differs`: it was, and one of them has gone on. */
  readonly became: 'copied' | 'there' | 'differs';
}

/** Between two looks at a process that runs meanwhile; who cannot be copied at rest after so many is told. */
const TRIES = 3;

/**
 * Both stores are open, and stay so. Nothing should run on either: a process that goes on while it is copied is copied
 * again. Errors: `E_CONFLICT` when it never rests; those of the stores; the signal's reason.
 */
export async function* migrate(
  from: RecallDriver,
  to: RecallDriver,
  signal?: AbortSignal,
): AsyncGenerator<MigratedOwner> {
  const stores = { from, to };
  for (const owner of await ownersOf(from)) {
    signal?.throwIfAborted();
    yield await migrateOne(stores, owner, signal);
  }
}

/** How many owners there are, for whoever shows how far it is. */
export async function countOwners(from: RecallDriver): Promise<number> {
  return (await ownersOf(from)).length;
}

/** Shared blocks first, for processes that attach them; parents before their forks. */
async function ownersOf(recall: RecallDriver): Promise<readonly OwnedRow[]> {
  const owners: OwnedRow[] = [];
  for (const space of OWNER_SPACES.toReversed()) {
    const found = [];
    for await (const row of allRows(recall, space)) found.push(row);
    owners.push(...found.toSorted((a, b) => madeAt(a) - madeAt(b)));
  }
  return owners;
}

function madeAt({ value }: OwnedRow): number {
  return (value as unknown as Partial<ProcessRecord>).createdAt ?? 0;
}

async function migrateOne(
  stores: Stores,
  row: OwnedRow,
  signal: AbortSignal | undefined,
): Promise<MigratedOwner> {
  const { pid, space, key, value } = row;
  const record = space === PROCESS_ROW.space ? (value as unknown as ProcessRecord) : undefined;
  const owner = { pid, ...(record && { name: record.name }) };
  const [present] = await stores.to.get(pid, [row]);
  if (present) return { ...owner, ...(await compared(stores, pid)) };
  const inventory = await copyAtRest(stores, { pid, ...(record?.zone && { zone: record.zone }) }, signal);
  await stores.to.commit(
    { pid, puts: [{ space, key, value }], expect: [{ space, key, version: 0 }] },
    signal,
  );
  return { ...owner, ...inventory, became: 'copied' };
}

async function compared({ from, to }: Stores, pid: Pid): Promise<Inventory & Pick<MigratedOwner, 'became'>> {
  const [source, target] = [await takeInventory(from, pid), await takeInventory(to, pid)];
  return { ...source, became: source.checksum === target.checksum ? 'there' : 'differs' };
}

async function copyAtRest(
  stores: Stores,
  owner: Parameters<typeof copyOwned>[1],
  signal: AbortSignal | undefined,
): Promise<Inventory> {
  for (let tries = 1; tries <= TRIES; tries++) {
    await copyOwned(stores, owner, signal);
    const [source, target] = [
      await takeInventory(stores.from, owner.pid),
      await takeInventory(stores.to, owner.pid),
    ];
    if (source.checksum === target.checksum) return target;
  }
  throw new PagefaultError(
    'E_CONFLICT',
    `${owner.pid} changed each of the ${TRIES} times that it was copied`,
    {
      hint: 'stop whatever runs it, and migrate again: what is copied is passed over',
      retryable: true,
    },
  );
}
