import { z } from 'zod';
import { dayRange } from './days.js';
import { searchOutcome } from './search-outcome.js';
import { defineSyscall } from './syscall.js';

export const conversationSearchDate = defineSyscall({
  name: 'conversation_search_date',
  help: "Lists earlier messages between two dates of the user's calendar, both included, oldest first.",
  parameters: z.object({
    start_date: z.string().describe('YYYY-MM-DD, or an ISO instant'),
    end_date: z.string().describe('YYYY-MM-DD, or an ISO instant'),
    page: z.number().int().min(0).default(0).describe('result page, from 0'),
  }),
  run: async ({ start_date, end_date, page }, context) => {
    const range = dayRange(start_date, end_date, context.zone);
    return searchOutcome(await context.search({ collection: 'messages', ...range, page }), context);
  },
});
