/**
 * The outbox: texts that want a vector, one row an id, so that the last word on an id counts. A row leaves it when its
 * vector is stored, or as a dead letter when nobody can make one.
 *
 * On a store that several kernels share, a kernel claims rows before it embeds them. A claim only saves work: that of a
 * kernel that died ends by itself, and a text that is embedded twice gets the same vector.
 */
import type { ErrorCode, Instant, OwnedRow, Pid, RecallDriver, Row } from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { Limits } from '../../limits.js';
import { OUTBOX_SPACE } from '../../core/journal.js';
import { deadLetterPut, deadLetterRow, outboxPut, outboxRow, type WaitingEntry } from './outbox-rows.js';

/** A row with what it says. */
export interface Work {
  readonly row: Row;
  readonly entry: WaitingEntry;
}

export interface OutboxOptions {
  readonly recall: RecallDriver;
  readonly clock: Clock;
  /** Who claims: one name a kernel. */
  readonly owner: string;
  readonly limits: Pick<Limits, 'indexBatch' | 'indexClaimMs'>;
}

/** What this kernel may do now, and when to look again for what others have claimed. */
export interface Taken {
  readonly work: ReadonlyMap<Pid, readonly Work[]>;
  /** Nothing was free; when rows were, and others were first with all of them, there may be more. */
  readonly wasEmpty: boolean;
  readonly nextAt: Instant;
}

/** No other kernel is at anything. */
export const NEVER: Instant = Number.POSITIVE_INFINITY;

export class Outbox {
  readonly #options: OutboxOptions;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Up to a batch, oldest first in each process; nothing that another kernel has claimed. */
  async take(signal: AbortSignal): Promise<Taken> {
    const { free, nextAt } = await this.#free(signal);
    const work = new Map<Pid, readonly Work[]>();
    for (const [pid, rows] of byPid(free)) {
      const claimed = await this.#claim(pid, rows.map(workOf), signal);
      if (claimed) work.set(pid, claimed);
    }
    return { work, wasEmpty: free.length === 0, nextAt };
  }

  /** These rows, whoever has claimed them; those that are gone are left out. */
  async get(pid: Pid, keys: readonly string[]): Promise<readonly Work[]> {
    const rows = await this.#options.recall.get(
      pid,
      keys.map((key) => ({ space: OUTBOX_SPACE, key })),
    );
    return rows.map(workOf);
  }

  /** Their vectors are stored. False, and nothing is written, when one of the rows changed meanwhile. */
  async finish(pid: Pid, work: readonly Work[]): Promise<boolean> {
    const rows = work.map(({ row }) => row);
    const letters = work.map(({ entry }) => deadLetterRow(entry));
    return this.#write({ pid, deletes: [...rows, ...letters], expect: rows });
  }

  /** No vector can be made of this one. False, and nothing is written, when the row changed meanwhile. */
  async bury(pid: Pid, { row, entry }: Work, code: ErrorCode): Promise<boolean> {
    const { claim: _, ...rest } = entry;
    const letter = deadLetterPut({ ...rest, code, buriedAt: this.#options.clock.now() });
    return this.#write({ pid, deletes: [outboxRow(entry)], puts: [letter], expect: [row] });
  }

  /** Gives back what was claimed and not done, so that others need not wait. A row that changed meanwhile is free. */
  async release(pid: Pid, work: readonly Work[]): Promise<void> {
    const claimed = work.filter(({ entry }) => entry.claim !== undefined);
    if (claimed.length === 0 || (await this.#unclaim(pid, claimed))) return;
    for (const one of claimed) await this.#unclaim(pid, [one]);
  }

  #unclaim(pid: Pid, work: readonly Work[]): Promise<boolean> {
    const puts = work.map(({ entry: { claim: _, ...entry } }) => outboxPut(entry));
    return this.#write({ pid, puts, expect: work.map(({ row }) => row) });
  }

  async #free(signal: AbortSignal): Promise<{ free: readonly OwnedRow[]; nextAt: Instant }> {
    const { recall, clock, limits } = this.#options;
    const free: OwnedRow[] = [];
    let nextAt = NEVER;
    let after: string | undefined;
    do {
      const query = { limit: limits.indexBatch, ...(after !== undefined && { after }) };
      const slice = await recall.scan(OUTBOX_SPACE, query, signal);
      for (const row of slice.items) {
        const until = this.#claimedUntil(row);
        // The clock is asked only about claims: without other kernels nothing depends on it.
        if (until === undefined || until <= clock.now()) free.push(row);
        else nextAt = Math.min(nextAt, until);
      }
      after = slice.cursor;
    } while (free.length < limits.indexBatch && after !== undefined);
    return { free: free.slice(0, limits.indexBatch), nextAt };
  }

  /** Undefined when no other kernel has claimed it. */
  #claimedUntil({ value }: OwnedRow): Instant | undefined {
    const { claim } = value as unknown as WaitingEntry;
    return claim?.by === this.#options.owner ? undefined : claim?.until;
  }

  /** Undefined when another kernel was first with one of them: then it has these, and others are left. */
  async #claim(pid: Pid, work: readonly Work[], signal: AbortSignal): Promise<readonly Work[] | undefined> {
    const { recall, clock, owner, limits } = this.#options;
    if (!recall.supports.shared) return work;
    const claim = { by: owner, until: clock.now() + limits.indexClaimMs };
    const claimed = work.map(({ row, entry }) => ({
      row: { ...row, version: row.version + 1 },
      entry: { ...entry, claim },
    }));
    const puts = claimed.map(({ entry }) => outboxPut(entry));
    const isOurs = await this.#write({ pid, puts, expect: work.map(({ row }) => row) }, signal);
    return isOurs ? claimed : undefined;
  }

  async #write(commit: Parameters<RecallDriver['commit']>[0], signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#options.recall.commit(commit, signal);
      return true;
    } catch (error) {
      if (hasCode(error, 'E_CONFLICT')) return false;
      throw error;
    }
  }
}

function workOf(row: Row): Work {
  return { row, entry: row.value as unknown as WaitingEntry };
}

function byPid(rows: readonly OwnedRow[]): ReadonlyMap<Pid, readonly OwnedRow[]> {
  const groups = new Map<Pid, OwnedRow[]>();
  for (const row of rows) groups.set(row.pid, [...(groups.get(row.pid) ?? []), row]);
  return groups;
}
