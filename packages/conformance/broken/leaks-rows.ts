import type { OwnedRow, RecallDriver, Row } from '@pagefault/contracts';
import type { Broken } from './broken.js';

function withoutOwner({ space, key, value, version, dueAt }: OwnedRow): Row {
  return { space, key, value, version, ...(dueAt === undefined ? {} : { dueAt }) };
}

export const leaksRows: Broken<RecallDriver> = {
  rule: 'load gives the rows of one process',
  because: 'the statement selects by space and forgets the process',
  wrap: (good) => ({
    ...good,
    async load(pid, spaces, signal) {
      const rows: Row[] = [...(await good.load(pid, spaces, signal))];
      for (const space of spaces) {
        const { items } = await good.scan(space, { limit: 10_000 });
        rows.push(...items.filter((row) => row.pid !== pid).map(withoutOwner));
      }
      return rows;
    },
  }),
  mustFail: [
    'isolation: a process sees its own log, rows and documents only, though ids and keys are the same',
    'isolation: a process that never wrote has nothing, whatever is asked',
    'erase: forgets all of one process, counts its messages, and touches no other (B35, B36)',
    'model: random operations give the same results as the reference',
  ],
};
