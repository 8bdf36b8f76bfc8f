import type { ArchivalDriver } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const filtersLate: Broken<ArchivalDriver> = {
  rule: 'a filtered query returns its limit when that many exist',
  because: 'the filter is applied to the nearest few instead of to all',
  wrap: (good) => ({
    ...good,
    async query({ since, until, ...query }, signal) {
      const nearest = await good.query(query, signal);
      const times = { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
      const passing = await good.query({ ...query, ...times, limit: 1000 }, signal);
      const ids = new Set(passing.map(({ id }) => id));
      return nearest.filter(({ id }) => ids.has(id));
    },
  }),
  mustFail: [
    'filter: since is included and until is not, and the limit is filled from what passes (B14, D10)',
  ],
};
