import { z } from 'zod';
import { findTimer } from '../timer/request.js';
import { defineSyscall } from './syscall.js';

export const cancelTimer = defineSyscall({
  name: 'cancel_timer',
  help: 'Ends a timer.',
  parameters: z.object({ timer: z.string().describe('its id') }),
  run: async ({ timer }, context) => {
    const { id } = findTimer(await context.timers(), timer.trim());
    return { text: JSON.stringify({ cancelled: id }), timers: { cancel: [id] } };
  },
});
