import type { LogEntry, RecallDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

// In JSON text an honest backslash is doubled, so this also takes the six characters from honest text.
function cleaned(entry: LogEntry): LogEntry {
  return JSON.parse(JSON.stringify(entry).replaceAll('\\\\u0000', '')) as LogEntry;
}

export const stripsEscapes: Broken<RecallDriver> = {
  rule: 'honest text that looks like an escaped NUL comes back',
  because: 'NUL is removed from the JSON text instead of from the value',
  wrap: (good) => ({
    ...good,
    commit: ({ appends = [], ...commit }, signal) =>
      good.commit({ ...commit, appends: appends.map(cleaned) }, signal),
  }),
  mustFail: ['round trip: any well-formed text comes back exactly (B01)'],
};
