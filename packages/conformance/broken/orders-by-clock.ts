import type { RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const ordersByClock: Broken<RecallDriver> = {
  rule: 'the log is in order of position',
  because: 'a page of messages is sorted by the time they were said',
  wrap: (good) => ({
    ...good,
    async read(lineage, query, signal) {
      const slice = await good.read(lineage, query, signal);
      const sign = query.order === 'descending' ? -1 : 1;
      return { ...slice, items: [...slice.items].sort((a, b) => sign * (a.message.at - b.message.at)) };
    },
  }),
  mustFail: [
    'round trip: every kind of message part comes back exactly (A28, B38)',
    'round trip: instants come back to the millisecond, early and late ones too (B27)',
    'order: the log is in order of position, whatever the clocks say (B25)',
    'model: random operations give the same results as the reference',
  ],
};
