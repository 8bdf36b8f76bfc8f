import { z } from 'zod';
import { searchOutcome } from './search-outcome.js';
import { defineSyscall } from './syscall.js';

export const archivalMemorySearch = defineSyscall({
  name: 'archival_memory_search',
  help: 'Searches archival storage (documents and notes) by words and meaning. Results come in pages.',
  parameters: z.object({
    query: z.string().min(1).describe('what to look for'),
    page: z.number().int().min(0).default(0).describe('result page, from 0'),
  }),
  run: async ({ query, page }, context) =>
    searchOutcome(await context.search({ collection: 'passages', query, page }), context),
});
