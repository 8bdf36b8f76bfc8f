import { z } from 'zod';
import { searchOutcome } from './search-outcome.js';
import { defineSyscall } from './syscall.js';

export const conversationSearch = defineSyscall({
  name: 'conversation_search',
  help: 'Searches all earlier messages by words and meaning. Results come in pages.',
  parameters: z.object({
    query: z.string().min(1).describe('what to look for'),
    page: z.number().int().min(0).default(0).describe('result page, from 0'),
  }),
  run: async ({ query, page }, context) =>
    searchOutcome(await context.search({ collection: 'messages', query, page }), context),
});
