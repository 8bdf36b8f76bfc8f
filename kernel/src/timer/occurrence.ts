/** What a timer that is due comes to: an interrupt, and its next occurrence. */
import type { Instant } from '@pagefault/contracts';
import type { Interrupt } from '../core/events.js';
import { groupDigits } from '../core/text.js';
import { localStamp, UTC } from '../core/zone.js';
import { MOST_COUNTED, nextDue, occurrencesIn } from './schedule.js';
import type { Timer } from './timer.js';

/** One that was missed is not made up for: those up to now are one, which says how many there were. */
export interface Occurrence {
  /** The timer's id and when it was due: the same for everyone who claims it. */
  readonly id: string;
  readonly timer: Timer;
  readonly count: number;
  /** The timer from now on; undefined when it is over. */
  readonly next: Timer | undefined;
}

export function occurrenceOf(timer: Timer, now: Instant): Occurrence {
  const { schedule, dueAt } = timer;
  const next = nextDue(schedule, Math.max(now, dueAt));
  return {
    id: `${timer.id}@${dueAt}`,
    timer,
    count: 1 + occurrencesIn(schedule, dueAt, now),
    next: next === undefined ? undefined : { ...timer, dueAt: next },
  };
}

/** All occurrences of a timer wait under one key. */
export function timerKey({ id }: Pick<Timer, 'id'>): string {
  return `timer/${id}`;
}

/** `waiting` is an earlier occurrence that was not served yet: this one takes its place, and stands for both. */
export function occurrenceInterrupt(occurrence: Occurrence, now: Instant, waiting?: Interrupt): Interrupt {
  const { id: own, timer } = occurrence;
  const id = waiting?.id ?? own;
  const count = occurrence.count + (waiting?.count ?? (waiting ? 1 : 0));
  const text = occurrenceText(occurrence, count);
  return {
    ...waiting,
    id,
    kind: 'timer',
    message: { id, role: 'system', at: now, parts: [{ type: 'text', text }] },
    respond: true,
    coalesce: timerKey(timer),
    count,
  };
}

function occurrenceText({ timer, next }: Occurrence, count: number): string {
  const by = timer.setBy === 'model' ? 'you' : 'a program';
  const time = (at: Instant) => localStamp(at, timer.zone ?? UTC);
  const said = [
    `Timer ${timer.id}, set by ${by} on ${time(timer.setAt)}, was due on ${time(timer.dueAt)}`,
    ...(count > 1 ? [`stands for ${times(count)} of its occurrences`] : []),
    ...(next ? [`next on ${time(next.dueAt)}`] : []),
  ];
  return `[${said.join('; ')}]\n${timer.text}`;
}

function times(count: number): string {
  return count > MOST_COUNTED ? `more than ${groupDigits(MOST_COUNTED)}` : groupDigits(count);
}
