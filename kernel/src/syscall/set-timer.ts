import { z } from 'zod';
import { localStamp } from '../core/zone.js';
import { checkOne, checkRoom, makeTimer, mintTimerId } from '../timer/request.js';
import { defineSyscall } from './syscall.js';

export const setTimer = defineSyscall({
  name: 'set_timer',
  help: 'Wakes you later with a text of yours. Give exactly one of at, in_seconds, every_seconds, cron.',
  parameters: z.object({
    text: z.string().min(1).describe('what to do then'),
    at: z.string().optional().describe('YYYY-MM-DDThh:mm, with an offset or in zone'),
    in_seconds: z.number().optional(),
    every_seconds: z.number().optional(),
    cron: z.string().optional().describe('minute hour day month weekday'),
    zone: z.string().optional().describe('such as Europe/Berlin; default: of the user'),
  }),
  run: async ({ text, at, in_seconds, every_seconds, cron, zone }, context) => {
    const given = { at: at || undefined, in_seconds, every_seconds, cron: cron || undefined };
    checkOne(given);
    const when = { ...given, in: ms(in_seconds), every: ms(every_seconds), zone: zone || context.zone };
    const { now, limits } = context;
    checkRoom(await context.timers(), limits.timersPerProcess, 'cancel one with cancel_timer');
    const id = mintTimerId(context.mintId);
    const timer = makeTimer(text, when, { id, now, setBy: 'model' }, limits);
    const due = localStamp(timer.dueAt, context.zone);
    return { text: JSON.stringify({ timer: id, due }), timers: { set: [timer] } };
  },
});

function ms(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}
