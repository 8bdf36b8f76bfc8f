/** Takes in a transcript: each message is stored once, by its id, and a request is laid out for it, but no model runs. */
import { PagefaultError, type Lineage, type RecallDriver } from '@pagefault/contracts';
import type { Interrupt } from '../../core/events.js';
import type { ActiveProcess } from '../processes/active-process.js';
import { killedError, readControl } from '../processes/control.js';
import { SLICE } from '../storage.js';

// A commit costs a wait for the disk; beyond some dozens of messages their own work is what costs.
const BATCH = 32;

export interface AppendReport {
  readonly appended: number;
  /** Already in recall, by id. */
  readonly skipped: number;
}

/**
 * Errors: `E_KILLED`; `E_CONTEXT_IRREDUCIBLE` when nothing fits beside the blocks: what was taken in until then is kept,
 * and skipped when it is given again.
 */
export async function appendAll(
  active: ActiveProcess,
  recall: RecallDriver,
  lineage: Lineage,
  interrupts: readonly Interrupt[],
  signal: AbortSignal | undefined,
): Promise<AppendReport> {
  if ((await readControl(recall, active.pid)).killedAt !== undefined) throw killedError(active.pid);
  const fresh = await unknown(recall, lineage, interrupts);
  for (let from = 0; from < fresh.length; from += BATCH) {
    signal?.throwIfAborted();
    await appendBatch(active, fresh.slice(from, from + BATCH));
  }
  return { appended: fresh.length, skipped: interrupts.length - fresh.length };
}

/** One commit: all but the last are held. */
async function appendBatch(active: ActiveProcess, interrupts: readonly Interrupt[]): Promise<void> {
  const runner = await active.runner();
  const last = interrupts.length - 1;
  const events = interrupts.map(
    (interrupt, index) => () => active.event({ ...interrupt, hold: index < last }),
  );
  for (const result of await runner.runAll(events)) {
    if (result?.failure)
      throw new PagefaultError(result.failure.code, result.failure.message, result.failure);
  }
}

/** Those that recall does not have yet, each once. */
async function unknown(
  recall: RecallDriver,
  lineage: Lineage,
  interrupts: readonly Interrupt[],
): Promise<Interrupt[]> {
  const known = new Set<string>();
  const fresh = new Map(interrupts.map((interrupt) => [interrupt.id, interrupt]));
  const ids = [...fresh.keys()];
  for (let from = 0; from < ids.length; from += SLICE) {
    const part = ids.slice(from, from + SLICE);
    const { items } = await recall.read(lineage, { ids: part, limit: SLICE });
    for (const { message } of items) known.add(message.id);
  }
  return [...fresh.values()].filter(({ id }) => !known.has(id));
}
