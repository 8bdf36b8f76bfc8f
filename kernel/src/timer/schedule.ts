/**
 * When a timer falls due. Pure: what is due after an instant follows from the schedule and the instant alone, on every
 * machine and however late it is asked.
 */
import type { Instant, Milliseconds } from '@pagefault/contracts';
import { cronMatches } from './cron.js';

export type Schedule =
  | { readonly kind: 'once'; readonly at: Instant }
  /** Due at `anchor + k × period`, k from 1: late turns never shift what follows. */
  | { readonly kind: 'interval'; readonly anchor: Instant; readonly period: Milliseconds }
  | { readonly kind: 'cron'; readonly expression: string; readonly zone: string };

/** The first occurrence later than an instant; undefined when none follows. */
type Following = (after: Instant) => Instant | undefined;

/** Errors: `E_INVALID` for a cron expression that is none. */
export function nextDue(schedule: Schedule, after: Instant): Instant | undefined {
  return following(schedule)(after);
}

function following(schedule: Schedule): Following {
  switch (schedule.kind) {
    case 'once':
      return (after) => (schedule.at > after ? schedule.at : undefined);
    case 'interval':
      return (after) => schedule.anchor + (ordinal(schedule, after) + 1) * schedule.period;
    case 'cron':
      return cronMatches(schedule.expression, schedule.zone);
  }
}

/** How many occurrences of an interval there were up to an instant, that one included. */
function ordinal({ anchor, period }: Extract<Schedule, { kind: 'interval' }>, at: Instant): number {
  return Math.max(0, Math.floor((at - anchor) / period));
}

/** The most occurrences that are counted one by one: beyond it the number says nothing more. */
export const MOST_COUNTED = 1_000;

/** How many occurrences are in `(after, through]`; `MOST_COUNTED` at most. */
export function occurrencesIn(schedule: Schedule, after: Instant, through: Instant): number {
  if (schedule.kind === 'interval') {
    return Math.min(MOST_COUNTED, Math.max(0, ordinal(schedule, through) - ordinal(schedule, after)));
  }
  const next = following(schedule);
  let count = 0;
  for (let due = next(after); due !== undefined && due <= through && count < MOST_COUNTED; due = next(due)) {
    count++;
  }
  return count;
}

// Enough to see what a pattern does within an hour, and from an hour to the next.
const GAPS_LOOKED_AT = 62;

/** The shortest time between two occurrences, as far as the next ones show it; undefined when one comes at most. */
export function shortestGap(schedule: Schedule, after: Instant): Milliseconds | undefined {
  if (schedule.kind === 'interval') return schedule.period;
  const next = following(schedule);
  let shortest: Milliseconds | undefined;
  let due = next(after);
  for (let seen = 0; due !== undefined && seen < GAPS_LOOKED_AT; seen++) {
    const then = next(due);
    if (then !== undefined) shortest = Math.min(shortest ?? then - due, then - due);
    due = then;
  }
  return shortest;
}
