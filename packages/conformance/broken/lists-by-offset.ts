import type { ArchivalDriver } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Broken } from './broken.js';

export const listsByOffset: Broken<ArchivalDriver> = {
  rule: 'what is there throughout is in exactly one slice',
  because: 'the cursor is an offset, and entries come and go before it',
  wrap: (good) => ({
    ...good,
    async list(scope, { after = '0', limit }, signal) {
      const from = Number(after);
      if (after === '' || Number.isNaN(from)) throw new PagefaultError('E_INVALID', 'not a number');
      const { items } = await good.list(scope, { limit: 10_000 }, signal);
      const slice = items.slice(from, from + limit);
      return from + limit < items.length ? { items: slice, cursor: String(from + limit) } : { items: slice };
    },
  }),
  mustFail: [
    'list: what is there throughout is neither left out nor repeated while others come and go (D15)',
  ],
};
