/**
 * Drains the outbox: texts become vectors in the archival index. A row leaves the outbox only after its vector is
 * stored, so a crash or a failing index delays a vector and never loses one; doing a row twice is harmless. After a
 * failure it waits, longer each time, and goes on by itself.
 *
 * A row whose text is gone was put there by an erasure: its vector is removed. A row that changed while its text was
 * embedded is looked at again before it is forgotten, so that no indexing that was under way brings an erased text's
 * vector back.
 */
import type {
  ArchivalDriver,
  Bill,
  Collection,
  EmbedderDriver,
  Pid,
  RecallDriver,
  Scope,
} from '@pagefault/contracts';
import type { Clock } from '../../clock.js';
import type { OutboxEntry } from '../../core/journal.js';
import type { Limits } from '../../limits.js';
import { ownLineage } from '../storage.js';
import { embedTexts, isRefusal, type Refusals, type Vectors } from './embedding.js';
import { findDrift, type ProcessIndex, repairDrift } from './index-check.js';
import { messageTexts, passageTexts } from './index-texts.js';
import { MessageVectors } from './message-vectors.js';
import { NEVER, Outbox, type Work } from './outbox.js';
import { Retry } from './retry.js';
import { knownScopes, scopeOf, ScopeRegister } from './scopes.js';

export interface IndexerOptions {
  readonly recall: RecallDriver;
  readonly archival: ArchivalDriver;
  readonly embedder: EmbedderDriver;
  readonly clock: Clock;
  /** The name under which texts are claimed. */
  readonly owner: string;
  readonly limits: Limits;
  readonly onFailure: (error: unknown) => void;
  /** What embedding texts of a process is billed. */
  readonly onBill: (pid: Pid, bill: Bill) => void;
  /** So many texts have left the outbox. */
  readonly onIndexed: (pid: Pid, texts: number) => void;
}

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #stop = new AbortController();
  readonly #outbox: Outbox;
  readonly #scopes: ScopeRegister;
  readonly #messages: MessageVectors;
  readonly #retry: Retry;
  /** One batch at a time. */
  #line: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options);
    this.#scopes = new ScopeRegister(options);
    this.#messages = new MessageVectors(options.recall);
    this.#retry = new Retry(options.clock, options.limits, () => this.#start());
  }

  /** There is new work. Returns at once; after a failure it is done with the rest, when the wait is over. */
  wake(): void {
    if (!this.#retry.isWaiting) this.#start();
  }

  /** Does what waits, now. Resolves when nothing is left but what other kernels are at, or when it has failed once more. */
  async drain(): Promise<void> {
    this.#start();
    await this.#running;
  }

  /**
   * Indexes what these processes wrote before this index was in use: with another embedder, another form of vectors, or
   * none. Returns at once; until it is done that is found by text alone.
   */
  catchUp(pids: readonly Pid[]): void {
    const { onFailure } = this.#options;
    const { signal } = this.#stop;
    const work = async () => {
      for (const pid of pids) if (!signal.aborted) await this.#scopes.catchUp(pid, signal);
    };
    this.#inLine(work).then(
      () => this.wake(),
      (error: unknown) => signal.aborted || onFailure(error),
    );
  }

  /**
   * Compares the process's part of the index with recall. With `repair`, vectors without a text are removed, and the
   * outbox is asked for all that have none, dead letters too; `drain` makes them. Resolves to what was found.
   */
  async check(pid: Pid, repair: boolean, signal?: AbortSignal): Promise<ProcessIndex> {
    const drift = await findDrift(this.#options, pid, signal);
    if (!repair) return drift.index;
    await this.#inLine(async () => {
      await this.#scopes.catchUp(pid, signal);
      await repairDrift(this.#options, drift, signal);
    });
    return drift.index;
  }

  /**
   * Does these rows of the outbox now, after the batch under way. Rejects when one of them could not be done; they stay
   * in the outbox then.
   */
  settle(pid: Pid, keys: readonly string[]): Promise<void> {
    return this.#inLine(async () => this.#index(pid, await this.#outbox.get(pid, keys)));
  }

  /** Removes all vectors of a process that is gone. Idempotent. */
  forget(pid: Pid, scopes: readonly Scope[]): Promise<void> {
    const { archival, embedder } = this.#options;
    const own = (['messages', 'passages'] as const).map((collection) => scopeOf(collection, pid, embedder));
    return this.#inLine(async () => {
      this.#scopes.forget(pid);
      this.#messages.forget(pid);
      for (const scope of new Set([...own, ...scopes])) await archival.remove(scope, 'all');
    });
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#retry.cancel();
    await this.#running;
    await this.#line;
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined); // The failure is the caller's; the line goes on.
    return result;
  }

  #start(): void {
    this.#retry.cancel();
    this.#again = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stop.signal.aborted) {
        this.#again = false;
        while (await this.#inLine(() => this.#batch())) if (this.#stop.signal.aborted) return;
      }
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#retry.afterFailure();
      this.#options.onFailure(error);
    }
  }

  /** False when there is nothing to do. */
  async #batch(): Promise<boolean> {
    const { work, wasEmpty, nextAt } = await this.#outbox.take(this.#stop.signal);
    const left = new Map(work);
    try {
      for (const [pid, own] of work) {
        await this.#index(pid, own);
        left.delete(pid);
      }
    } catch (error) {
      // When that fails too, the claims end by themselves; what is told is why.
      for (const [pid, own] of left) await this.#outbox.release(pid, own).catch(() => undefined);
      throw error;
    }
    this.#retry.succeeded();
    if (wasEmpty && nextAt !== NEVER) this.#retry.at(nextAt);
    return !wasEmpty;
  }

  async #index(pid: Pid, work: readonly Work[]): Promise<void> {
    if (work.length === 0) return;
    const refused = new Set<Work>();
    for (const collection of ['messages', 'passages'] as const) {
      const own = work.filter(({ entry }) => entry.collection === collection);
      if (own.length === 0) continue;
      const refusals = await this.#store(pid, collection, own);
      for (const one of own) {
        const refusal = refusals.get(one.entry.ordinal);
        if (refusal && (await this.#outbox.bury(pid, one, refusal.code))) refused.add(one);
      }
    }
    const done = work.filter((one) => !refused.has(one));
    await this.#finish(pid, done);
    this.#options.onIndexed(pid, work.length);
  }

  async #store(pid: Pid, collection: Collection, work: readonly Work[]): Promise<Refusals> {
    const texts = await this.#texts(pid, collection, work);
    const gone = work.filter((_, index) => texts[index] === undefined);
    await this.#remove(pid, collection, gone);
    const entries = work.filter((_, index) => texts[index] !== undefined).map(({ entry }) => entry);
    const { embedder, onFailure, onBill } = this.#options;
    const refusals: Refusals = new Map();
    const embed = (some: ReadonlyMap<number, string>) =>
      embedTexts(embedder, some, refusals, this.#stop.signal, (bill) => onBill(pid, bill));
    const vectors =
      collection === 'messages'
        ? await this.#messages.of(pid, entries, embed)
        : await embed(new Map(work.map(({ entry }, index) => [entry.ordinal, texts[index] ?? ''])));
    await this.#upsert(pid, collection, entries, vectors, refusals);
    for (const refusal of refusals.values()) onFailure(refusal);
    return refusals;
  }

  async #remove(pid: Pid, collection: Collection, gone: readonly Work[]): Promise<void> {
    if (gone.length === 0) return;
    const { recall, archival, embedder } = this.#options;
    const ids = gone.map(({ entry }) => String(entry.ordinal));
    if (collection === 'messages') this.#messages.forget(pid);
    const known = await knownScopes(recall, pid, collection);
    for (const scope of new Set([...known, scopeOf(collection, pid, embedder)]))
      await archival.remove(scope, ids, this.#stop.signal);
  }

  /** As a whole when nobody touched the rows meanwhile, which is nearly always. */
  async #finish(pid: Pid, work: readonly Work[]): Promise<void> {
    if (work.length === 0 || (await this.#outbox.finish(pid, work))) return;
    for (const one of work) await this.#finishOne(pid, one);
  }

  /** A row that changed, or that another kernel finished, may be of a text that was erased after it was read here. */
  async #finishOne(pid: Pid, work: Work): Promise<void> {
    if (await this.#outbox.finish(pid, [work])) return;
    if (await this.#mayHoldErased(pid, work)) await this.#store(pid, work.entry.collection, [work]);
  }

  /** The text is gone; or the one before it, which its vector may have a part of. */
  async #mayHoldErased(pid: Pid, work: Work): Promise<boolean> {
    const { collection, ordinal } = work.entry;
    const [text] = await this.#texts(pid, collection, [work]);
    return (
      text === undefined || (collection === 'messages' && !(await this.#messages.hasBefore(pid, ordinal)))
    );
  }

  /** A vector that the index refuses does not keep the others from it either. */
  async #upsert(
    pid: Pid,
    collection: Collection,
    entries: readonly OutboxEntry[],
    vectors: Vectors,
    refusals: Refusals,
  ): Promise<void> {
    const rows = entries.flatMap(({ ordinal, at }) => {
      const vector = vectors.get(ordinal);
      return vector ? [{ id: String(ordinal), vector, at }] : [];
    });
    const [only] = rows;
    if (!only) return;
    const { archival, embedder } = this.#options;
    const inHand = new Set(entries.map(({ ordinal }) => ordinal));
    await this.#scopes.note(pid, collection, inHand, this.#stop.signal);
    try {
      await archival.upsert(scopeOf(collection, pid, embedder), rows, this.#stop.signal);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (rows.length === 1) refusals.set(Number(only.id), error);
      else for (const entry of entries) await this.#upsert(pid, collection, [entry], vectors, refusals);
    }
  }

  /** In the order of the work; undefined for what is gone. */
  async #texts(pid: Pid, collection: Collection, work: readonly Work[]): Promise<(string | undefined)[]> {
    const { recall } = this.#options;
    const lineage = ownLineage(pid);
    if (collection === 'passages') {
      const ids = work.map(({ entry }) => entry.ref);
      const passages = await passageTexts(recall, lineage, ids);
      return ids.map((id) => passages.get(id));
    }
    const seqs = work.map(({ entry }) => entry.seq);
    const texts = await messageTexts(recall, lineage, seqs);
    return seqs.map((seq) => texts.get(seq));
  }
}
