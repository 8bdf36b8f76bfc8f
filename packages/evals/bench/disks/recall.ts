/** Recall on PostgreSQL by the number of messages in a process: one message written, and a term found that few have. */
import { LATEST, type RecallDriver, type SearchDocument } from '@pagefault/contracts';
import { createPgSql, createPostgresRecall } from '@pagefault/driver-recall-postgres';
import { createNumbers, median, quantile, timed } from './ratio.js';

const BATCH = 2_000;
const TERMS = 12;
const VOCABULARY = 20_000;
/** Messages that have the rare term, however many there are: so that what grows is the log alone, not the answer. */
const RARE = 10;
const TURNS = 200;
const WARM_UP = 20;

export interface RecallCost {
  readonly messages: number;
  /** Messages a second while it was filled, two thousand a commit. */
  readonly fill: number;
  /** Milliseconds of a commit of one message, and of a search for the rare term. */
  readonly append: number;
  readonly appendP95: number;
  readonly search: number;
  readonly searchP95: number;
  readonly hits: number;
}

/** All sizes are filled first, then measured turn about. */
export async function measureRecall(url: string, sizes: readonly number[]): Promise<RecallCost[]> {
  const sql = createPgSql({ connectionString: url });
  await sql.open();
  const logs: Log[] = [];
  try {
    for (const messages of sizes)
      logs.push(await Log.filled(createPostgresRecall({ sql, schema: 'bench_recall' }), messages));
    await sql.query('vacuum analyze bench_recall.log, bench_recall.documents, bench_recall.postings');
    for (let turn = 0; turn < WARM_UP + TURNS; turn += 1) for (const log of logs) await log.step();
    return logs.map((log) => log.cost());
  } finally {
    await sql.query('drop schema if exists bench_recall cascade');
    await sql.close();
  }
}

class Log {
  readonly #recall: RecallDriver;
  readonly #messages: number;
  readonly #pid: string;
  readonly #next = createNumbers(3);
  readonly #appends: number[] = [];
  readonly #searches: number[] = [];
  #fill = 0;
  #last = 0;
  #hits = 0;

  private constructor(recall: RecallDriver, messages: number) {
    [this.#recall, this.#messages, this.#pid] = [recall, messages, `p${messages}`];
  }

  static async filled(recall: RecallDriver, messages: number): Promise<Log> {
    await recall.open();
    const log = new Log(recall, messages);
    const took = await timed(async () => {
      while (log.#last < messages) await log.#append(Math.min(BATCH, messages - log.#last));
    });
    log.#fill = messages / (took / 1_000);
    return log;
  }

  async step(): Promise<void> {
    this.#appends.push(await timed(() => this.#append(1)));
    const lineage = [{ pid: this.#pid, upTo: LATEST }];
    const search = async () => {
      const postings = await this.#recall.postings(lineage, 'messages', ['rare']);
      const ordinals = postings.map(({ ordinal }) => ordinal);
      this.#hits = (await this.#recall.documents(lineage, 'messages', ordinals)).length;
    };
    this.#searches.push(await timed(search));
  }

  cost(): RecallCost {
    const [appends, searches] = [this.#appends.slice(WARM_UP), this.#searches.slice(WARM_UP)];
    return {
      messages: this.#messages,
      fill: this.#fill,
      append: median(appends),
      appendP95: quantile(appends, 0.95),
      search: median(searches),
      searchP95: quantile(searches, 0.95),
      hits: this.#hits,
    };
  }

  async #append(count: number): Promise<void> {
    const documents = Array.from({ length: count }, (_, i) => this.#document(this.#last + 1 + i));
    const appends = documents.map(({ seq, ref, at, terms }) => {
      const text = terms.map(([term]) => term).join(' ');
      return {
        seq,
        page: seq,
        message: { id: ref, role: 'user', at, parts: [{ type: 'text', text }] },
      } as const;
    });
    await this.#recall.commit({ pid: this.#pid, appends, documents });
    this.#last += count;
  }

  #document(seq: number): SearchDocument {
    const terms = new Set(Array.from({ length: TERMS }, () => `w${Math.floor(this.#next() * VOCABULARY)}`));
    // Those that are written while it is measured do not have it: the answer stays as long as it is.
    if (seq <= this.#messages && seq % Math.floor(this.#messages / RARE) === 0) terms.add('rare');
    return {
      collection: 'messages',
      ordinal: seq - 1,
      seq,
      ref: `m${seq}`,
      session: '',
      speaker: 'user',
      at: seq,
      length: terms.size,
      terms: [...terms].map((term) => [term, 1] as const),
    };
  }
}
