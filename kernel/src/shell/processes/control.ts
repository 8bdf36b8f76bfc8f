/**
 * What may hold a process back: it is paused, some kinds of interrupts are masked, or it was killed. Rows of their own,
 * so that anyone can change them at any moment, also while another kernel runs the process.
 */
import type { Instant, Json, Pid, RecallDriver, Row, RowKey } from '@pagefault/contracts';
import { hasCode, PagefaultError } from '@pagefault/contracts';
import type { Interrupt } from '../../core/events.js';
import { INTERRUPT_KINDS, type InterruptKind } from '../../core/interrupt-kind.js';

export const CONTROL_SPACE = 'control';

/** Apart from the rest, so that a delivery can expect that it does not exist. */
export const KILLED: RowKey = { space: CONTROL_SPACE, key: 'killed' };
const HELD: RowKey = { space: CONTROL_SPACE, key: 'held' };

export interface ProcessControl {
  /** Nothing is served; what arrives waits in the inbox. */
  readonly paused: boolean;
  /** Interrupts of these kinds wait in the inbox. */
  readonly masked: readonly InterruptKind[];
  /** Since when it is dead. Its memory is still there. */
  readonly killedAt?: Instant;
}

export const UNCONTROLLED: ProcessControl = Object.freeze({ paused: false, masked: Object.freeze([]) });

export function controlOf(rows: readonly Row[]): ProcessControl {
  const own = rows.filter(({ space }) => space === CONTROL_SPACE);
  const held = own.find(({ key }) => key === HELD.key)?.value as Partial<ProcessControl> | undefined;
  const killed = own.find(({ key }) => key === KILLED.key)?.value as { readonly at: Instant } | undefined;
  return { ...UNCONTROLLED, ...held, ...(killed && { killedAt: killed.at }) };
}

export function isServed(control: ProcessControl, interrupt: Interrupt): boolean {
  return control.killedAt === undefined && !control.paused && !control.masked.includes(interrupt.kind);
}

export async function readControl(recall: RecallDriver, pid: Pid): Promise<ProcessControl> {
  return controlOf(await recall.get(pid, [HELD, KILLED]));
}

/** Errors: `E_INVALID`, which lists the kinds. */
export function checkKinds(kinds: readonly InterruptKind[]): void {
  const unknown = kinds.find((kind) => !INTERRUPT_KINDS.includes(kind));
  if (unknown === undefined) return;
  throw new PagefaultError('E_INVALID', `there is no kind of interrupt "${unknown}"`, {
    hint: `kinds: ${INTERRUPT_KINDS.join(', ')}`,
  });
}

/** Compare-and-set, tried again until nobody else was first. Errors: `E_KILLED`. */
export async function changeControl(
  recall: RecallDriver,
  pid: Pid,
  change: (control: ProcessControl) => Pick<ProcessControl, 'paused' | 'masked'>,
): Promise<void> {
  for (;;) {
    const rows = await recall.get(pid, [HELD, KILLED]);
    const control = controlOf(rows);
    if (control.killedAt !== undefined) throw killedError(pid);
    const { paused, masked } = change(control);
    const version = rows.find(({ key }) => key === HELD.key)?.version ?? 0;
    const value: Json = { paused, masked: [...masked] };
    try {
      return await recall.commit({ pid, expect: [{ ...HELD, version }], puts: [{ ...HELD, value }] });
    } catch (error) {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    }
  }
}

/** Once is enough: a second kill changes nothing. */
export async function markKilled(recall: RecallDriver, pid: Pid, at: Instant): Promise<void> {
  try {
    await recall.commit({ pid, expect: [{ ...KILLED, version: 0 }], puts: [{ ...KILLED, value: { at } }] });
  } catch (error) {
    if (!hasCode(error, 'E_CONFLICT')) throw error;
  }
}

export function killedError(pid: Pid): PagefaultError {
  return new PagefaultError('E_KILLED', `process ${pid} was killed`, {
    hint: 'its memory can still be read; fork it or spawn a new one to go on',
  });
}
