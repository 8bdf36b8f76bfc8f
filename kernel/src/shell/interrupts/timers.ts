/** The timers of one process, as programs set them. They are rows: no process need be attached, here or elsewhere. */
import { hasCode, type Pid, type RecallDriver, type Row } from '@pagefault/contracts';
import { rowsOfRemains } from '../../core/timers.js';
import type { Limits } from '../../limits.js';
import { checkOne, checkRoom, makeTimer, mintTimerId, unknownTimer, type When } from '../../timer/request.js';
import { byDue, pastOf, readTimer, type Timer, TIMER_SPACE, timerPut } from '../../timer/timer.js';
import type { Services } from '../services.js';
import type { ProcessRecord } from '../storage.js';
import { findWhole } from './timer-past.js';

/** Exactly one of `at`, `in`, `every` and `cron`. */
export interface NewTimer extends When {
  /** What the process is told whenever it is due. At most `limits.timerCharacters`. */
  readonly text: string;
  /**
   * Default: minted. Of an id that is there, a timer that differs in text or schedule is replaced, and one that does not
   * stays as it is, so that a program may set its timers whenever it starts. `[A-Za-z0-9_.-]{1,64}`.
   */
  readonly id?: string;
}

export class Timers {
  readonly #pid: Pid;
  readonly #zone: string | undefined;
  readonly #services: Services;
  readonly #limits: Limits;

  constructor({ pid, zone }: Pick<ProcessRecord, 'pid' | 'zone'>, services: Services, limits: Limits) {
    [this.#pid, this.#zone, this.#services, this.#limits] = [pid, zone, services, limits];
  }

  /** The next to fall due first. */
  list(): Promise<readonly Timer[]> {
    return listTimers(this.#services.recall, this.#pid);
  }

  /** Errors: `E_INVALID` for a timer that is none, or one more than `limits.timersPerProcess`. */
  async set({ text, id, ...when }: NewTimer): Promise<Timer> {
    const { clock, mintId, wakeScheduler } = this.#services;
    const { at, in: delay, every, cron } = when;
    checkOne({ at, in: delay, every, cron });
    const origin = { id: id ?? mintTimerId(mintId), now: clock.now(), setBy: 'program' } as const;
    const timer = await this.#store(
      makeTimer(text, { ...when, zone: when.zone ?? this.#zone }, origin, this.#limits),
    );
    wakeScheduler(timer.dueAt);
    return timer;
  }

  /**
   * Ends a timer, and withdraws its occurrence that waits to be served; a turn that serves one goes on.
   * Errors: `E_NOT_FOUND`, which lists the known ids.
   */
  async cancel(id: string): Promise<void> {
    const { recall, inboxChanged } = this.#services;
    for (;;) {
      const { isSet, remains, expect } = await findWhole(recall, this.#pid, id);
      if (!isSet && remains.inboxKey === undefined) throw unknownTimer(await this.list(), id);
      const deletes = [{ space: TIMER_SPACE, key: id }, ...rowsOfRemains(remains)];
      try {
        await recall.commit({ pid: this.#pid, expect, deletes });
        return inboxChanged(this.#pid);
      } catch (error) {
        if (!hasCode(error, 'E_CONFLICT')) throw error;
      }
    }
  }

  /** Compare-and-set: what is due meanwhile, or set by the model, is looked at again. */
  async #store(timer: Timer): Promise<Timer> {
    const { recall } = this.#services;
    const most = this.#limits.timersPerProcess;
    for (;;) {
      const rows = await recall.load(this.#pid, [TIMER_SPACE]);
      const known = rows.find(({ key }) => key === timer.id);
      if (known && isSame(readTimer(known), timer)) return readTimer(known);
      if (!known) checkRoom(rows, most, 'cancel one, or raise limits.timersPerProcess');
      const expect = [{ space: TIMER_SPACE, key: timer.id, version: known?.version ?? 0 }];
      try {
        await recall.commit({ pid: this.#pid, expect, puts: [timerPut(timer, known && pastOf(known))] });
        return timer;
      } catch (error) {
        if (!hasCode(error, 'E_CONFLICT')) throw error;
      }
    }
  }
}

export async function listTimers(recall: RecallDriver, pid: Pid): Promise<readonly Timer[]> {
  const rows: readonly Row[] = await recall.load(pid, [TIMER_SPACE]);
  return rows.map(readTimer).toSorted(byDue);
}

/** An interval that was set a moment later would fall due a moment later; it is the same all the same. */
function isSame(known: Timer, timer: Timer): boolean {
  const schedule = ({ schedule: it }: Timer) => (it.kind === 'interval' ? it.period : it);
  return known.text === timer.text && JSON.stringify(schedule(known)) === JSON.stringify(schedule(timer));
}
