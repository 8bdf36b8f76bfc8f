/**
 * Looks for vectors of erased texts a second time, on a store that several kernels share. Another kernel may have read a
 * text just before it was erased and write its vector when the index was found clean already; a kernel that lives notices
 * that and takes it back, one that dies in between cannot. By then nobody knows of that vector any more, so an erasure
 * leaves a row behind, by which they are all removed once more when no such writer can be under way any longer.
 */
import type {
  Instant,
  Json,
  Milliseconds,
  OwnedRow,
  Pid,
  Put,
  RecallDriver,
  Scope,
} from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import type { OutboxEntry } from '../../core/journal.js';
import type { Indexer } from '../search/indexer.js';
import { Scheduler } from '../interrupts/scheduler.js';
import type { Services } from '../services.js';
import { SLICE } from '../storage.js';
import { outboxPut } from '../search/outbox-rows.js';

export const SECOND_LOOK_SPACE = 'second-looks';
const WHENEVER = Number.MAX_SAFE_INTEGER;

/** What is looked for: texts of the process that owns the row, or all of a process that is gone. */
type SecondLook =
  { readonly entries: readonly OutboxEntry[] } | { readonly pid: Pid; readonly scopes: readonly Scope[] };

export interface SecondLookOptions {
  readonly services: Pick<Services, 'recall' | 'clock' | 'bus'>;
  readonly indexer: Indexer | undefined;
  /** How long after an erasure. */
  readonly after: Milliseconds;
  /** How long one that failed waits. */
  readonly retry: Milliseconds;
}

export class SecondLooks {
  readonly #options: SecondLookOptions;
  readonly #scheduler: Scheduler;

  constructor(options: SecondLookOptions) {
    this.#options = options;
    const { clock, recall, bus } = options.services;
    this.#scheduler = new Scheduler({
      clock,
      rows: rowsIn(recall),
      claim: (row) => this.#look(row),
      pollMs: options.retry,
      // A row that another kernel wrote is that kernel's, or the next one's that boots.
      shared: false,
      onFailure: (error) => bus.raise('erasure-failed', { error }),
    });
  }

  /** Rows that ask for one; none where no other kernel can have written. */
  ask(key: string, look: SecondLook): readonly Put[] {
    const { services, after } = this.#options;
    if (!services.recall.supports.shared) return [];
    const dueAt = services.clock.now() + after;
    return [{ space: SECOND_LOOK_SPACE, key, value: look as unknown as Json, dueAt }];
  }

  /** Those rows are stored. */
  asked(rows: readonly Put[]): void {
    for (const { dueAt = WHENEVER } of rows) this.#scheduler.wake(dueAt);
  }

  /** Resolves when what was due is done; what falls due later is done then. */
  async start(): Promise<void> {
    const { services, indexer } = this.#options;
    if (indexer && services.recall.supports.shared) await this.#scheduler.start();
  }

  stop(): Promise<void> {
    return this.#scheduler.stop();
  }

  async #look(row: OwnedRow): Promise<void> {
    const look = row.value as unknown as SecondLook;
    if ('entries' in look) await this.#removeAgain(row, look.entries);
    else await this.#forgetAgain(row, look.pid, look.scopes);
  }

  /** The outbox does it, as it did before: whoever drains it removes what has no text, and makes the others again. */
  async #removeAgain(row: OwnedRow, entries: readonly OutboxEntry[]): Promise<void> {
    const { services, indexer } = this.#options;
    const { pid } = row;
    try {
      await services.recall.commit({ pid, expect: [row], deletes: [row], puts: entries.map(outboxPut) });
    } catch (error) {
      // Another kernel was first, or the process was erased.
      if (!hasCode(error, 'E_CONFLICT')) throw error;
    }
    indexer?.wake();
  }

  /** Its rows too: a kernel that indexed it may have noted where. */
  async #forgetAgain(row: OwnedRow, pid: Pid, scopes: readonly Scope[]): Promise<void> {
    const { services, indexer } = this.#options;
    await indexer?.forget(pid, scopes);
    await services.recall.erase({ pid, whole: true });
    await services.recall.commit({ pid: row.pid, deletes: [row] });
  }
}

function rowsIn(recall: RecallDriver) {
  const due = (dueBefore: Instant, limit: number, after?: string) =>
    recall.scan(SECOND_LOOK_SPACE, { dueBefore, limit, ...(after !== undefined && { after }) });
  return {
    due: (now: Instant, after?: string) => due(now, SLICE, after),
    next: async () => (await due(WHENEVER, 1)).items[0]?.dueAt,
  };
}
