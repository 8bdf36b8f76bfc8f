/** Timers by when they fall due: of all processes, or of one. */
import type { Pid, RecallDriver } from '@pagefault/contracts';
import { TIMER_SPACE } from '../../timer/timer.js';
import type { DueRows } from './scheduler.js';
import { SLICE } from '../storage.js';

const WHENEVER = Number.MAX_SAFE_INTEGER;

export function timersOfAll(recall: RecallDriver): DueRows {
  return {
    due: (now, after) =>
      recall.scan(TIMER_SPACE, { dueBefore: now, limit: SLICE, ...(after !== undefined && { after }) }),
    next: async () => (await recall.scan(TIMER_SPACE, { dueBefore: WHENEVER, limit: 1 })).items[0]?.dueAt,
  };
}

export function timersOf(recall: RecallDriver, pid: Pid): DueRows {
  const sorted = async () => {
    const rows = await recall.load(pid, [TIMER_SPACE]);
    return rows
      .map((row) => ({ ...row, pid, dueAt: row.dueAt ?? WHENEVER }))
      .toSorted((a, b) => a.dueAt - b.dueAt);
  };
  return {
    due: async (now) => ({ items: (await sorted()).filter(({ dueAt }) => dueAt <= now) }),
    next: async () => (await sorted())[0]?.dueAt,
  };
}
