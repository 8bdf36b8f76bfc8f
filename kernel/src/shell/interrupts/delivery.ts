/**
 * Delivers into the durable inbox. An interrupt is acknowledged when it is in it; its id makes delivery idempotent: a
 * second one with the same id is the first one (C03, C04). Of those with a key to coalesce by one waits at a time, and
 * stands for all that came meanwhile (C22).
 */
import type { Commit, Expectation, Json, Pid, Put, RecallDriver, RowKey } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Clock, MintId } from '../../clock.js';
import type { Interrupt } from '../../core/events.js';
import { INTERRUPT_KINDS } from '../../core/interrupt-kind.js';
import { COALESCING_SPACE, DELIVERY_SPACE, INBOX_SPACE } from '../../core/journal.js';
import { KILLED, killedError } from '../processes/control.js';

/** Says where an interrupt stands: by time, then by order of arrival at this kernel. */
export function createPlaces({ now }: Pick<Clock, 'now'>, mintId: MintId): () => string {
  let count = 0;
  return () => {
    const time = String(now()).padStart(15, '0');
    return `${time}-${String(count++).padStart(9, '0')}-${mintId()}`;
  };
}

/** What is to be delivered. */
export interface Arrival {
  readonly interrupt: Interrupt;
  /** Of one that has a key to coalesce by: both as one, under the id of the one that waits. */
  merge?(waiting: Interrupt): Interrupt;
}

/** What a delivery changes and needs besides, in the same commit. */
export type Together = Pick<Commit, 'puts' | 'deletes' | 'expect'>;

export interface Delivery {
  readonly id: string;
  /**
   * - `queued`: it waits in the inbox. `merged`: another that waits stands for it too.
   * - `known`: it was delivered before.
   * - `overtaken`: what was expected besides does not hold any more; nothing was delivered.
   */
  readonly state: 'queued' | 'merged' | 'known' | 'overtaken';
  /** The interrupt that is served for it. */
  readonly servedAs: string;
}

/** One commit, tried again when the interrupt that it would be merged into is served meanwhile. Errors: `E_KILLED`. */
export async function enqueue(
  recall: RecallDriver,
  pid: Pid,
  arrival: Arrival,
  place: string,
  together: Together = {},
): Promise<Delivery> {
  const { id } = arrival.interrupt;
  for (;;) {
    const { puts, expect, delivery } = delivering(
      arrival,
      place,
      await heldUnder(recall, pid, arrival.interrupt.coalesce),
    );
    try {
      await recall.commit({
        pid,
        puts: [...puts, ...(together.puts ?? [])],
        deletes: together.deletes ?? [],
        expect: [
          { ...KILLED, version: 0 },
          { space: DELIVERY_SPACE, key: id, version: 0 },
          ...expect,
          ...(together.expect ?? []),
        ],
      });
      return delivery;
    } catch (error) {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
      const refused = await refusal(recall, pid, id, together.expect ?? []);
      if (refused) return refused;
    }
  }
}

/** The interrupt that waits under a key to coalesce by, with the versions of its rows. */
export interface KeyHolder {
  readonly keyVersion: number;
  readonly waiting?: { readonly interrupt: Interrupt; readonly key: string; readonly version: number };
}

export async function heldUnder(
  recall: RecallDriver,
  pid: Pid,
  coalesce: string | undefined,
): Promise<KeyHolder> {
  if (coalesce === undefined) return { keyVersion: 0 };
  const [holder] = await recall.get(pid, [{ space: COALESCING_SPACE, key: coalesce }]);
  if (!holder) return { keyVersion: 0 };
  const { inboxKey } = holder.value as { readonly inboxKey: string };
  const [row] = await recall.get(pid, [{ space: INBOX_SPACE, key: inboxKey }]);
  const waiting = row && {
    interrupt: row.value as unknown as Interrupt,
    key: inboxKey,
    version: row.version,
  };
  return { keyVersion: holder.version, ...(waiting && { waiting }) };
}

interface Delivering {
  readonly puts: readonly Put[];
  readonly expect: readonly Expectation[];
  readonly delivery: Delivery;
}

function delivering(arrival: Arrival, place: string, holder: KeyHolder): Delivering {
  const { interrupt, merge } = arrival;
  const { coalesce } = interrupt;
  const keyExpected =
    coalesce === undefined ? [] : [{ space: COALESCING_SPACE, key: coalesce, version: holder.keyVersion }];
  if (holder.waiting && merge)
    return merging(interrupt.id, merge(holder.waiting.interrupt), holder, keyExpected);
  const key = `${INTERRUPT_KINDS.indexOf(interrupt.kind)}/${place}`;
  return {
    puts: [
      { space: DELIVERY_SPACE, key: interrupt.id, value: { state: 'queued' } },
      { space: INBOX_SPACE, key, value: asJson({ ...interrupt, inboxKey: key }) },
      ...(coalesce === undefined
        ? []
        : [{ space: COALESCING_SPACE, key: coalesce, value: { inboxKey: key } }]),
    ],
    expect: keyExpected,
    delivery: { id: interrupt.id, state: 'queued', servedAs: interrupt.id },
  };
}

function merging(
  id: string,
  merged: Interrupt,
  { waiting }: KeyHolder,
  keyExpected: readonly Expectation[],
): Delivering {
  const row = { space: INBOX_SPACE, key: waiting?.key ?? '' };
  return {
    puts: [
      { space: DELIVERY_SPACE, key: id, value: { state: 'merged', into: merged.id } },
      { ...row, value: asJson(merged) },
    ],
    expect: [...keyExpected, { ...row, version: waiting?.version ?? 0 }],
    delivery: { id, state: 'merged', servedAs: merged.id },
  };
}

/** Why nothing was delivered; undefined when it is worth another try. */
async function refusal(
  recall: RecallDriver,
  pid: Pid,
  id: string,
  expected: readonly Expectation[],
): Promise<Delivery | undefined> {
  const delivery = { space: DELIVERY_SPACE, key: id };
  const rows = await recall.get(pid, [KILLED, delivery, ...expected]);
  const find = ({ space, key }: RowKey) => rows.find((row) => row.space === space && row.key === key);
  if (find(KILLED)) throw killedError(pid);
  const known = find(delivery)?.value as StoredDelivery | undefined;
  if (known) return { id, state: 'known', servedAs: known.into ?? id };
  const holds = expected.every((one) => (find(one)?.version ?? 0) === one.version);
  return holds ? undefined : { id, state: 'overtaken', servedAs: id };
}

/** The row of an interrupt, by its id; with the result of its turn once that has ended. */
export interface StoredDelivery {
  readonly state: 'queued' | 'merged' | 'running' | 'done';
  /** The interrupt that stands for it, when it was merged. */
  readonly into?: string;
}

function asJson(interrupt: Interrupt): Json {
  return interrupt as unknown as Json;
}
