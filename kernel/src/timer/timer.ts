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

/** The ids of its occurrences that were delivered, of which the store still says what became of them: oldest first. */
export type Past = readonly string[];

export function timerPut(timer: Timer, past: Past = []): Put {
  const value = { ...timer, ...(past.length > 0 && { past }) } as unknown as Json;
  return { space: TIMER_SPACE, key: timer.id, value, dueAt: timer.dueAt };
}

/** Errors: `E_STORAGE` for a row that is no timer. */
export function readTimer({ key, value }: Pick<Row, 'key' | 'value'>): Timer {
  const row = value as unknown as (Partial<Timer> & { readonly past?: Past }) | null;
  if (typeof row?.text !== 'string' || typeof row.dueAt !== 'number' || !row.schedule) {
    throw new PagefaultError('E_STORAGE', `the row of timer "${key}" is no timer`);
  }
  const { past: _, ...timer } = row;
  return timer as Timer;
}

/** Rows of before this was noted have none. */
export function pastOf({ value }: Pick<Row, 'value'>): Past {
  return (value as { readonly past?: Past } | null)?.past ?? [];
}

/** The next to fall due first. */
export function byDue(a: Timer, b: Timer): number {
  return a.dueAt - b.dueAt || (a.id < b.id ? -1 : 1);
}
