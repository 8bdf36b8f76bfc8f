/**
 * Drains the outbox: texts become vectors in the archival index. A row leaves the outbox only after its vector is
 * stored, so a crash or a failing index delays a vector and never loses one; doing a row twice is harmless.
 *
 * A row whose text is gone was put there by an erasure: its vector is removed. A row that changed while its text was
 * embedded is looked at again before it is forgotten, so that no indexing that was under way brings an erased text's
 * vector back.
 */
import type {
  ArchivalDriver,
  Collection,
  EmbedderDriver,
  OwnedRow,
  Pid,
  RecallDriver,
  Row,
  Scope,
} from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import { OUTBOX_SPACE, type OutboxEntry } from '../../core/journal.js';
import { isBlank } from '../../core/text.js';
import { messageTexts, passageTexts } from './index-texts.js';
import { MessageVectors, type Vectors } from './message-vectors.js';
import { knownScopes, scopeOf, ScopeRegister } from './scopes.js';
import { ownLineage } from '../storage.js';

interface Work {
  readonly row: Row;
  readonly entry: OutboxEntry;
}

export interface IndexerOptions {
  readonly recall: RecallDriver;
  readonly archival: ArchivalDriver;
  readonly embedder: EmbedderDriver;
  /** Texts embedded at once. */
  readonly batch: number;
  readonly onFailure: (error: unknown) => void;
}

export class Indexer {
  readonly #options: IndexerOptions;
  readonly #stop = new AbortController();
  readonly #scopes: ScopeRegister;
  readonly #messages: MessageVectors;
  /** One batch at a time. */
  #line: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
    this.#scopes = new ScopeRegister(options);
    this.#messages = new MessageVectors(options.recall, (texts) => this.#embed(texts));
  }

  /** There is new work. Returns at once; a failure is told and tried again at the next wake. */
  wake(): void {
    this.#again = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Resolves when the outbox is empty, or what is in it has failed once more. */
  async drain(): Promise<void> {
    this.wake();
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
   * Does these rows of the outbox now, after the batch under way. Rejects when one of them could not be done; they stay
   * in the outbox then.
   */
  settle(pid: Pid, keys: readonly string[]): Promise<void> {
    return this.#inLine(async () => {
      const rows = await this.#options.recall.get(
        pid,
        keys.map((key) => ({ space: OUTBOX_SPACE, key })),
      );
      await this.#index(pid, rows);
    });
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
    await this.#running;
    await this.#line;
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined); // The failure is the caller's; the line goes on.
    return result;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stop.signal.aborted) {
        this.#again = false;
        while (await this.#inLine(() => this.#batch())) if (this.#stop.signal.aborted) return;
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onFailure(error);
    }
  }

  /** False when the outbox is empty. */
  async #batch(): Promise<boolean> {
    const { recall, batch } = this.#options;
    const { items } = await recall.scan(OUTBOX_SPACE, { limit: batch }, this.#stop.signal);
    for (const [pid, rows] of byPid(items)) await this.#index(pid, rows);
    return items.length > 0;
  }

  async #index(pid: Pid, rows: readonly Row[]): Promise<void> {
    const work = rows.map((row) => ({ row, entry: row.value as unknown as OutboxEntry }));
    for (const collection of ['messages', 'passages'] as const) {
      const own = work.filter(({ entry }) => entry.collection === collection);
      if (own.length > 0) await this.#store(pid, collection, own);
    }
    await this.#finish(pid, work);
  }

  async #store(pid: Pid, collection: Collection, work: readonly Work[]): Promise<void> {
    const texts = await this.#texts(pid, collection, work);
    const gone = work.filter((_, index) => texts[index] === undefined);
    await this.#remove(pid, collection, gone);
    const entries = work.filter((_, index) => texts[index] !== undefined).map(({ entry }) => entry);
    const vectors =
      collection === 'messages'
        ? await this.#messages.of(pid, entries)
        : await this.#embed(new Map(work.map(({ entry }, index) => [entry.ordinal, texts[index] ?? ''])));
    await this.#upsert(pid, collection, entries, vectors);
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
    if (work.length === 0) return;
    const rows = work.map(({ row }) => row);
    try {
      await this.#options.recall.commit({ pid, deletes: rows, expect: rows });
    } catch (error) {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
      for (const one of work) await this.#finishOne(pid, one);
    }
  }

  /** A row that changed, or that another kernel finished, may be of a text that was erased after it was read here. */
  async #finishOne(pid: Pid, work: Work): Promise<void> {
    const { recall } = this.#options;
    const { row, entry } = work;
    try {
      await recall.commit({ pid, deletes: [row], expect: [row] });
    } catch (error) {
      if (!hasCode(error, 'E_CONFLICT')) throw error;
      if (await this.#mayHoldErased(pid, work)) await this.#store(pid, entry.collection, [work]);
    }
  }

  /** The text is gone; or the one before it, which its vector may have a part of. */
  async #mayHoldErased(pid: Pid, work: Work): Promise<boolean> {
    const { collection, ordinal } = work.entry;
    const [text] = await this.#texts(pid, collection, [work]);
    return (
      text === undefined || (collection === 'messages' && !(await this.#messages.hasBefore(pid, ordinal)))
    );
  }

  /** One text that cannot be embedded must not keep the others from it: it is told, and stays found by text (B32). */
  async #embed(texts: ReadonlyMap<number, string>): Promise<Vectors> {
    const filled = [...texts].filter(([, text]) => !isBlank(text));
    if (filled.length === 0) return new Map();
    const { embedder, onFailure } = this.#options;
    try {
      const vectors = await embedder.embed(
        filled.map(([, text]) => text),
        this.#stop.signal,
      );
      return new Map(filled.flatMap(([ordinal], i) => (vectors[i] ? [[ordinal, vectors[i]] as const] : [])));
    } catch (error) {
      if (!hasCode(error, 'E_INVALID')) throw error;
      if (filled.length > 1) return this.#oneByOne(filled);
      onFailure(error);
      return new Map();
    }
  }

  async #oneByOne(texts: readonly (readonly [number, string])[]): Promise<Vectors> {
    const vectors = new Map<number, Float32Array>();
    for (const one of texts) {
      for (const [ordinal, vector] of await this.#embed(new Map([one]))) vectors.set(ordinal, vector);
    }
    return vectors;
  }

  /** A vector that the index refuses does not keep the others from it either. */
  async #upsert(
    pid: Pid,
    collection: Collection,
    entries: readonly OutboxEntry[],
    vectors: Vectors,
  ): Promise<void> {
    const rows = entries.flatMap(({ ordinal, at }) => {
      const vector = vectors.get(ordinal);
      return vector ? [{ id: String(ordinal), vector, at }] : [];
    });
    if (rows.length === 0) return;
    const { archival, embedder, onFailure } = this.#options;
    const inHand = new Set(entries.map(({ ordinal }) => ordinal));
    await this.#scopes.note(pid, collection, inHand, this.#stop.signal);
    try {
      await archival.upsert(scopeOf(collection, pid, embedder), rows, this.#stop.signal);
    } catch (error) {
      if (!hasCode(error, 'E_INVALID')) throw error;
      if (rows.length === 1) return onFailure(error);
      for (const entry of entries) await this.#upsert(pid, collection, [entry], vectors);
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

function byPid(rows: readonly OwnedRow[]): Map<Pid, OwnedRow[]> {
  const groups = new Map<Pid, OwnedRow[]>();
  for (const row of rows) groups.set(row.pid, [...(groups.get(row.pid) ?? []), row]);
  return groups;
}
