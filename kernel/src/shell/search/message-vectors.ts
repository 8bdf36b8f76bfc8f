/**
 * The vectors of messages: a turn's own and part of the one before it. Each text is embedded once as long as messages come
 * in order: the last vector of each process is kept for the next.
 */
import type { IndexedDocument, Pid, RecallDriver } from '@pagefault/contracts';
import type { OutboxEntry } from '../../core/journal.js';
import { blend, weightBefore } from '../../core/search/index.js';
import type { Vectors } from './embedding.js';
import { messageTexts } from './index-texts.js';
import { ownLineage } from '../storage.js';

/** Texts by ordinal; one that cannot be embedded is left out. */
type Embed = (texts: ReadonlyMap<number, string>) => Promise<Vectors>;

type Documents = ReadonlyMap<number, IndexedDocument>;

/** Processes whose last vector is kept: some two kilobytes each. */
const REMEMBERED = 1_000;

export class MessageVectors {
  readonly #recall: RecallDriver;
  readonly #last = new Map<Pid, { readonly ordinal: number; readonly vector: Float32Array }>();

  constructor(recall: RecallDriver) {
    this.#recall = recall;
  }

  /** A fork's first message has none before it: what an ancestor erases is in no vector but the ancestor's own. */
  async of(pid: Pid, entries: readonly OutboxEntry[], embed: Embed): Promise<Vectors> {
    if (entries.length === 0) return new Map();
    const documents = await this.#documents(pid, entries);
    const raw = await this.#raw(pid, entries, documents, embed);
    const vectors = new Map<number, Float32Array>();
    for (const { ordinal } of entries) {
      const [vector, document] = [raw.get(ordinal), documents.get(ordinal)];
      if (!vector || !document) continue;
      const weight = weightBefore(document, documents.get(ordinal - 1));
      vectors.set(ordinal, blend(vector, raw.get(ordinal - 1), weight));
    }
    return vectors;
  }

  /** Whether the message before one is there. The first one has none. */
  async hasBefore(pid: Pid, ordinal: number): Promise<boolean> {
    if (ordinal === 0) return false;
    return (await this.#recall.documents(ownLineage(pid), 'messages', [ordinal - 1])).length > 0;
  }

  /** Keeps nothing of the process any longer. */
  forget(pid: Pid): void {
    this.#last.delete(pid);
  }

  /** Of the messages and of those before them, as far as these are there. */
  async #documents(pid: Pid, entries: readonly OutboxEntry[]): Promise<Documents> {
    const wanted = entries.flatMap(({ ordinal }) => (ordinal > 0 ? [ordinal - 1, ordinal] : [ordinal]));
    const documents = await this.#recall.documents(ownLineage(pid), 'messages', [...new Set(wanted)]);
    return new Map(documents.map((document) => [document.ordinal, document]));
  }

  async #raw(
    pid: Pid,
    entries: readonly OutboxEntry[],
    documents: Documents,
    embed: Embed,
  ): Promise<Vectors> {
    const own = new Set(entries.map(({ ordinal }) => ordinal));
    const last = this.#last.get(pid);
    const fresh = [...documents.values()].filter(
      ({ ordinal }) => own.has(ordinal) || (ordinal !== last?.ordinal && counts(ordinal, own, documents)),
    );
    const seqs = fresh.map(({ seq }) => seq);
    const texts = await messageTexts(this.#recall, ownLineage(pid), seqs);
    const found = await embed(new Map(fresh.map(({ ordinal, seq }) => [ordinal, texts.get(seq) ?? ''])));
    const raw = new Map([...(last ? [[last.ordinal, last.vector] as const] : []), ...found]);
    this.#remember(pid, raw);
    return raw;
  }

  #remember(pid: Pid, raw: Vectors): void {
    const ordinal = Math.max(...raw.keys());
    const vector = raw.get(ordinal);
    this.#last.delete(pid);
    if (vector) this.#last.set(pid, { ordinal, vector });
    const [oldest] = this.#last.keys();
    if (this.#last.size > REMEMBERED && oldest !== undefined) this.#last.delete(oldest);
  }
}

/** Whether a message counts in the one after it, which is asked for. */
function counts(ordinal: number, own: ReadonlySet<number>, documents: Documents): boolean {
  const next = own.has(ordinal + 1) ? documents.get(ordinal + 1) : undefined;
  return next !== undefined && weightBefore(next, documents.get(ordinal)) > 0;
}
