import type { ArchivalDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const firstWins: Broken<ArchivalDriver> = {
  rule: 'of two entries with one id in a batch the last one wins',
  because: 'duplicates are dropped as they come',
  wrap: (good) => ({
    ...good,
    upsert: (scope, entries, signal) => good.upsert(scope, [...entries].reverse(), signal),
  }),
  mustFail: ['upsert: of two entries with one id in a batch the last one wins (B30)'],
};
