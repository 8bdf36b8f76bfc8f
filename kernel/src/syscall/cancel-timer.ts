import { z } from 'zod';
import { unknownTimer } from '../timer/request.js';
import { defineSyscall } from './syscall.js';

export const cancelTimer = defineSyscall({
  name: 'cancel_timer',
  help: 'Ends a timer.',
  parameters: z.object({ timer: z.string().describe('its id') }),
  run: async ({ timer }, context) => {
    const id = timer.trim();
    const { isSet, remains } = await context.wholeTimer(id);
    if (!isSet && remains.inboxKey === undefined) throw unknownTimer(await context.timers(), id);
    return { text: JSON.stringify({ cancelled: id }), timers: { cancel: [id], remains: [remains] } };
  },
});
