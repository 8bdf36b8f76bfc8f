/** A timer as it is stored: one row of the space `timers`, found by when it falls due. */
import { type Instant, type Json, PagefaultError, type Put, type Row } from '@pagefault/contracts';
import type { Schedule } from './schedule.js';

export const TIMER_SPACE = 'timers';

export interface Timer {
  readonly id: string;
  /** What the process is told when it is due. */
  readonly text: string;
  readonly schedule: Schedule;
  /** IANA name of the time zone in which its times are told. Default `UTC`. */
  readonly zone?: string;
  /** The next occurrence. */
  readonly dueAt: Instant;
  readonly setAt: Instant;
  /** The process's own model, or a program. */
  readonly setBy: 'model' | 'program';
}

export function timerPut(timer: Timer): Put {
  return { space: TIMER_SPACE, key: timer.id, value: timer as unknown as Json, dueAt: timer.dueAt };
}

/** Errors: `E_STORAGE` for a row that is no timer. */
export function readTimer({ key, value }: Pick<Row, 'key' | 'value'>): Timer {
  const timer = value as unknown as Partial<Timer> | null;
  if (typeof timer?.text !== 'string' || typeof timer.dueAt !== 'number' || !timer.schedule) {
    throw new PagefaultError('E_STORAGE', `the row of timer "${key}" is no timer`);
  }
  return timer as Timer;
}

/** The next to fall due first. */
export function byDue(a: Timer, b: Timer): number {
  return a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1);
}
