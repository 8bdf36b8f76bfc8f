/**
 * Drains the outbox: texts become vectors in the archival index. A row leaves the outbox only after its vector is
 * stored, so a crash or a failing index delays a vector and never loses one; doing a row twice is harmless.
 */
import type {
  ArchivalDriver,
  Collection,
  EmbedderDriver,
  Message,
  OwnedRow,
  Pid,
  RecallDriver,
  Scope,
  Seq,
} from '@pagefault/contracts';
import { hasCode } from '@pagefault/contracts';
import { searchableText } from '../core/documents.js';
import { OUTBOX_SPACE } from '../core/journal.js';
import { isBlank } from '../core/text.js';
import { ownLineage, readPassages } from './storage.js';

/** One part of the index for each process, collection and embedder: vectors of two embedders never meet. */
export function scopeOf(collection: Collection, pid: Pid, embedder: EmbedderDriver): Scope {
  const kind = collection === 'messages' ? 'recall' : 'archive';
  return `${kind}/${pid}/${embedder.supports.fingerprint}`;
}

interface OutboxEntry {
  readonly collection: Collection;
  readonly ordinal: number;
  readonly ref: string;
  readonly seq: Seq;
  readonly at: number;
}

interface Work {
  readonly pid: Pid;
  readonly key: string;
  readonly entry: OutboxEntry;
}

interface Filled {
  readonly entry: OutboxEntry;
  readonly text: string;
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
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
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

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#again && !this.#stop.signal.aborted) {
        this.#again = false;
        while (await this.#batch()) if (this.#stop.signal.aborted) return;
      }
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#options.onFailure(error);
    }
  }

  /** False when the outbox is empty. */
  async #batch(): Promise<boolean> {
    const { recall, batch } = this.#options;
    const { signal } = this.#stop;
    const { items } = await recall.scan(OUTBOX_SPACE, { limit: batch }, signal);
    for (const [pid, rows] of byPid(items)) {
      const work = rows.map((row) => ({ pid, key: row.key, entry: row.value as unknown as OutboxEntry }));
      for (const collection of ['messages', 'passages'] as const) {
        await this.#store(
          pid,
          collection,
          work.filter(({ entry }) => entry.collection === collection),
        );
      }
      await recall.commit({ pid, deletes: rows.map(({ key }) => ({ space: OUTBOX_SPACE, key })) });
    }
    return items.length > 0;
  }

  async #store(pid: Pid, collection: Collection, work: readonly Work[]): Promise<void> {
    if (work.length === 0) return;
    const { embedder } = this.#options;
    const texts = await this.#texts(pid, collection, work);
    const filled = work.flatMap(({ entry }, index) => {
      const text = texts[index];
      return text === undefined || isBlank(text) ? [] : [{ entry, text }];
    });
    await this.#upsert(scopeOf(collection, pid, embedder), filled);
  }

  /** One text that cannot be embedded must not keep the others from it: it is told, and stays found by text (B32). */
  async #upsert(scope: Scope, filled: readonly Filled[]): Promise<void> {
    if (filled.length === 0) return;
    try {
      await this.#embed(scope, filled);
    } catch (error) {
      if (!hasCode(error, 'E_INVALID')) throw error;
      if (filled.length === 1) return this.#options.onFailure(error);
      for (const one of filled) await this.#upsert(scope, [one]);
    }
  }

  async #embed(scope: Scope, filled: readonly Filled[]): Promise<void> {
    const { archival, embedder } = this.#options;
    const { signal } = this.#stop;
    const texts = filled.map(({ text }) => text);
    const vectors = await embedder.embed(texts, signal);
    const entries = filled.flatMap(({ entry }, index) => {
      const vector = vectors[index];
      return vector ? [{ id: String(entry.ordinal), vector, at: entry.at }] : [];
    });
    await archival.upsert(scope, entries, signal);
  }

  async #texts(pid: Pid, collection: Collection, work: readonly Work[]): Promise<(string | undefined)[]> {
    const { recall } = this.#options;
    if (collection === 'passages') {
      const passages = await readPassages(
        recall,
        ownLineage(pid),
        work.map(({ entry }) => entry.ref),
      );
      return work.map(({ entry }) => passages.get(entry.ref)?.text);
    }
    const seqs = work.map(({ entry }) => entry.seq);
    const { items } = await recall.read(ownLineage(pid), { seqs, limit: seqs.length });
    // Who says it is part of what it means: without the name the encoder finds half as much.
    const bySeq = new Map(items.map(({ seq, message }) => [seq, spokenText(message)]));
    return seqs.map((seq) => bySeq.get(seq));
  }
}

function spokenText(message: Message): string {
  const text = searchableText(message);
  return message.name === undefined || text === '' ? text : `${message.name}: ${text}`;
}

function byPid(rows: readonly OwnedRow[]): Map<Pid, OwnedRow[]> {
  const groups = new Map<Pid, OwnedRow[]>();
  for (const row of rows) groups.set(row.pid, [...(groups.get(row.pid) ?? []), row]);
  return groups;
}
