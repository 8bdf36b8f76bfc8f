import { LATEST, type Lineage, type RecallDriver } from '@pagefault/contracts';
import fc from 'fast-check';
import { codeOf, same } from '../check.js';
import { ADA, alone, BOB, readAll, type RecallCase } from './instance.js';
import { FORK_AT, type Operation, operation, type Session, perform } from './model-operations.js';
import { scanAll } from './scan.js';

export interface ModelOptions {
  /** Random sequences tried. Default 60: some seconds on a driver that needs 1 ms an operation. */
  readonly runs?: number;
  /** Default 1, so that a run can be repeated; vary it to search further. */
  readonly seed?: number;
}

export const MODEL_CASE = 'model: random operations give the same results as the reference';

/** Random operations on the driver and on a reference have equal outcomes and leave equal stores. */
export function modelCase(
  reference: () => RecallDriver,
  { runs = 60, seed = 1 }: ModelOptions = {},
): RecallCase {
  return {
    name: MODEL_CASE,
    async run({ driver }) {
      const sequence = fc.asyncProperty(
        fc.array(operation, { minLength: 1, maxLength: 25, size: 'max' }),
        (operations) => compare(driver, reference(), operations),
      );
      await fc.assert(sequence, { numRuns: runs, seed });
    },
  };
}

async function compare(
  driver: RecallDriver,
  reference: RecallDriver,
  operations: readonly Operation[],
): Promise<void> {
  for (const pid of [ADA, BOB]) await driver.erase({ pid, whole: true });
  await reference.open();
  const ours: Session = { driver, fences: {} };
  const theirs: Session = { driver: reference, fences: {} };
  for (const each of operations) {
    const expected = await outcome(theirs, each);
    same(await outcome(ours, each), expected);
  }
  same(await observe(driver), await observe(reference));
  await reference.close();
}

async function outcome(session: Session, each: Operation): Promise<unknown> {
  try {
    return await perform(session, each);
  } catch (error) {
    return codeOf(error);
  }
}

const BOBS: Lineage = [
  { pid: ADA, upTo: FORK_AT },
  { pid: BOB, upTo: LATEST },
];

async function observe(driver: RecallDriver): Promise<unknown> {
  const seen: unknown[] = [];
  for (const lineage of [alone(ADA), alone(BOB), BOBS]) {
    const { messages, lastSeq } = await driver.stats(lineage);
    seen.push({
      messages,
      lastSeq,
      log: await readAll(driver, lineage, { limit: 3 }),
      back: await readAll(driver, lineage, { limit: 2, from: 2, order: 'descending' }),
      timed: await readAll(driver, lineage, { limit: 2, since: 2, until: 5 }),
      postings: await driver.postings(lineage, 'messages', ['y', 'x']),
      documents: await driver.documents(lineage, 'messages', [...Array(200).keys()]),
    });
  }
  for (const pid of [ADA, BOB]) seen.push(await driver.load(pid, ['state', 'inbox']));
  seen.push(
    await scanAll(driver, 'inbox', { limit: 2 }),
    await scanAll(driver, 'inbox', { limit: 2, dueBefore: 6 }),
  );
  return seen;
}
