import { PagefaultError, type Pid } from '@pagefault/contracts';
import type { Event, Interrupt, NewPassage } from '../core/events.js';
import type { TurnResult } from '../core/outcome.js';
import type { SearchRequest, SearchResults } from '../core/search-results.js';
import { codePoints, isBlank, normaliseText } from '../core/text.js';
import type { Limits } from '../limits.js';
import { InboxServer } from './inbox-server.js';
import { type MemoryMap, mapOf } from './memory-map.js';
import { checkedId, type IncomingMessage, toMessage } from './messages.js';
import type { Runner } from './runner.js';
import { search } from './searcher.js';
import type { Services } from './services.js';
import { lineageOf, type ProcessRecord, readPassages, SLICE } from './storage.js';
import { WorkingContext } from './working-context.js';

// A commit costs a wait for the disk; beyond some dozens of messages their own work is what costs.
const APPEND_BATCH = 32;

/** What a process needs of its kernel. */
export interface ProcessHost {
  readonly services: Services;
  readonly limits: Limits;
  /** Attached, holding the lease; attached again when a commit of the last one failed. */
  attach(record: ProcessRecord): Promise<Runner>;
  /** On an overlay of the stored state: nothing it does is kept. */
  attachOverlay(record: ProcessRecord): Promise<Runner>;
}

export interface SendOptions {
  /** Stops the turn; the process goes on with the next message. */
  readonly signal?: AbortSignal;
}

/** A passage as it is given to `archive`. */
export interface IncomingPassage {
  readonly text: string;
  /** Where it is from. Passages of one source are neighbours in search, in the order in which they are given. */
  readonly source?: string;
  /** Default: minted. The same id is stored once. 1 to 128 characters. */
  readonly id?: string;
}

export interface AppendReport {
  readonly appended: number;
  /** Already in recall, by id. */
  readonly skipped: number;
}

/** One agent. Get it from `kernel.spawn`, `kernel.open` or `kernel.find`. */
export class Process {
  readonly pid: Pid;
  readonly name: string;
  /** What is always in view: named, size-limited texts. */
  readonly blocks: WorkingContext;
  readonly #record: ProcessRecord;
  readonly #host: ProcessHost;
  readonly #inbox: InboxServer;

  constructor(record: ProcessRecord, host: ProcessHost) {
    [this.pid, this.name, this.#record, this.#host] = [record.pid, record.name, record, host];
    const { services, limits } = host;
    this.blocks = new WorkingContext(record.pid, { services, limits, attach: () => host.attach(record) });
    this.#inbox = new InboxServer(record.pid, host.services, {
      attach: () => host.attach(record),
      event: (interrupt) => this.#event(interrupt),
    });
  }

  /**
   * Delivers a user's message and resolves when it is answered, by the turn that took it. Messages are served one
   * after the other. A message that was sent before under the same id gets the same result.
   * Errors: `E_INVALID`, `E_CONFLICT` (the id is of a message that was not sent), `E_STORAGE`, `E_LEASE_LOST`,
   * `E_NOT_OPEN`; what was in the inbox stays there. A failure of the model is no error but the result's `outcome`.
   */
  async send(input: string | IncomingMessage, options: SendOptions = {}): Promise<TurnResult> {
    const interrupt = this.#interrupt(input, true);
    await this.#host.attach(this.#record);
    // Minted ids are new; a caller's own may be of a message that a transcript brought.
    if (typeof input !== 'string' && input.id !== undefined) await this.#inbox.refuseTaken(interrupt.id);
    return this.#inbox.deliver(interrupt, options.signal);
  }

  /** A turn whose writes are thrown away: memory is read, and nothing is remembered. */
  async ask(input: string | IncomingMessage, options: SendOptions = {}): Promise<TurnResult> {
    const runner = await this.#host.attachOverlay(this.#record);
    const interrupt = this.#interrupt(input, true);
    const result = await runner.run(() => this.#event(interrupt), options.signal);
    if (!result) throw new PagefaultError('E_STORAGE', 'the turn ended without a result');
    return result;
  }

  /**
   * Takes in messages of a transcript: each is stored once, by its id, and a request is laid out for it, but no model
   * runs. Resolves when all are durable.
   */
  async append(messages: readonly IncomingMessage[], options: SendOptions = {}): Promise<AppendReport> {
    const fresh = await this.#unknown(messages.map((message) => this.#interrupt(message, false)));
    for (let from = 0; from < fresh.length; from += APPEND_BATCH) {
      options.signal?.throwIfAborted();
      await this.#appendBatch(fresh.slice(from, from + APPEND_BATCH));
    }
    return { appended: fresh.length, skipped: messages.length - fresh.length };
  }

  /**
   * Puts passages into archival storage; resolves to their ids, in order. They are found by text at once, by meaning
   * when the index has caught up. One that is there already, by its id, stays as it is.
   * Errors: `E_INVALID` for an empty or too long text, or an id that is none.
   */
  async archive(passages: readonly IncomingPassage[]): Promise<readonly string[]> {
    const { clock, recall } = this.#host.services;
    const checked = passages.map((passage) => this.#passage(passage));
    const known = await readPassages(
      recall,
      this.pid,
      checked.map(({ id }) => id),
    );
    const fresh = [...new Map(checked.map((passage) => [passage.id, passage])).values()];
    const missing = fresh.filter(({ id }) => !known.has(id));
    const runner = await this.#host.attach(this.#record);
    if (missing.length > 0)
      await runner.run(() => ({ type: 'passages', at: clock.now(), passages: missing }));
    return checked.map(({ id }) => id);
  }

  /** The same search that the model's functions use. */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResults> {
    const runner = await this.#host.attach(this.#record);
    const { services, limits } = this.#host;
    const view = {
      pid: this.pid,
      head: runner.state.head,
      before: runner.state.turn?.firstSeq ?? Number.MAX_SAFE_INTEGER,
      pageSize: limits.searchPageSize,
    };
    return search({ ...services.searchStack, recall: services.recall }, view, request, signal);
  }

  /** The ids of the messages behind handles such as `m12`, in their order; others are left out. */
  async messageIds(handles: readonly string[]): Promise<readonly string[]> {
    const seqs = handles.flatMap((handle) => (/^m[1-9]\d*$/.test(handle) ? [Number(handle.slice(1))] : []));
    if (seqs.length === 0) return [];
    const { items } = await this.#host.services.recall.read(lineageOf(this.pid), {
      seqs,
      limit: seqs.length,
    });
    const bySeq = new Map(items.map(({ seq, message }) => [seq, message.id]));
    return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
  }

  /** What is in main context now, segment by segment and page by page. */
  async map(): Promise<MemoryMap> {
    const runner = await this.#host.attach(this.#record);
    return mapOf(this.#record, runner.state, runner.budget);
  }

  /** Answers what was left in the inbox, for example by a crash. Rejects with the first failure, after all were tried. */
  async resume(): Promise<void> {
    await this.#host.attach(this.#record);
    const [failure] = await this.#inbox.serve();
    if (failure !== undefined) throw failure;
  }

  /** Stops the turn that is under way, if one is. */
  async stopTurn(): Promise<void> {
    (await this.#host.attach(this.#record)).stopTurn();
  }

  #interrupt(input: string | IncomingMessage, respond: boolean): Interrupt {
    const { mintId, clock } = this.#host.services;
    const incoming = typeof input === 'string' ? { text: input } : input;
    const message = toMessage(incoming, mintId, clock.now(), this.#host.limits);
    return { id: message.id, kind: 'user', message, respond };
  }

  #event(interrupt: Interrupt): Event {
    const { mintId, clock } = this.#host.services;
    return { type: 'interrupt', at: clock.now(), turnId: mintId(), interrupt };
  }

  #passage({ text, source, id }: IncomingPassage): NewPassage {
    const clean = normaliseText(text);
    const size = codePoints(clean);
    const { passageCharacters } = this.#host.limits;
    if (isBlank(clean)) throw new PagefaultError('E_INVALID', 'a passage is empty');
    if (size > passageCharacters) {
      throw new PagefaultError(
        'E_INVALID',
        `a passage has ${size} characters, the limit is ${passageCharacters}`,
        {
          hint: 'cut it into chunks',
        },
      );
    }
    return {
      id: id === undefined ? this.#host.services.mintId() : checkedId(id),
      text: clean,
      ...(source !== undefined && { source: normaliseText(source) }),
    };
  }

  /** One commit: all but the last are held. */
  async #appendBatch(interrupts: readonly Interrupt[]): Promise<void> {
    const runner = await this.#host.attach(this.#record);
    for (const [index, interrupt] of interrupts.entries()) {
      const result = await runner.run(() =>
        this.#event({ ...interrupt, hold: index < interrupts.length - 1 }),
      );
      if (result?.failure)
        throw new PagefaultError(result.failure.code, result.failure.message, result.failure);
    }
  }

  /** Those that recall does not have yet, each once. */
  async #unknown(interrupts: readonly Interrupt[]): Promise<Interrupt[]> {
    const known = new Set<string>();
    const fresh = new Map(interrupts.map((interrupt) => [interrupt.id, interrupt]));
    const ids = [...fresh.keys()];
    for (let from = 0; from < ids.length; from += SLICE) {
      const part = ids.slice(from, from + SLICE);
      const { items } = await this.#host.services.recall.read(lineageOf(this.pid), {
        ids: part,
        limit: SLICE,
      });
      for (const { message } of items) known.add(message.id);
    }
    return [...fresh.values()].filter(({ id }) => !known.has(id));
  }
}
