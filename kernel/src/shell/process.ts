import type { Lineage, Pid } from '@pagefault/contracts';
import type { Interrupt, PinChange } from '../core/events.js';
import type { InterruptKind } from '../core/interrupt-kind.js';
import type { TurnResult } from '../core/outcome.js';
import type { SearchRequest, SearchResults } from '../core/search-results.js';
import { checkProcessName } from '../core/process-name.js';
import type { MappedDocument } from '../syscall/syscall.js';
import type { ActiveProcess } from './processes/active-process.js';
import { appendAll, type AppendReport } from './memory/appending.js';
import { changeControl, checkKinds, markKilled } from './processes/control.js';
import type { ForkOptions } from './processes/fork.js';
import { type IncomingDocument, listDocuments, mapDocument, unmapDocument } from './memory/documents.js';
import { messageIds } from './turn/handles.js';
import { type MemoryMap, mapOf } from './memory-map.js';
import { type IncomingInterrupt, type Receipt, toArrival } from './interrupts/incoming-interrupt.js';
import { type IncomingPassage, missingPassages, toPassage } from './memory/incoming-passage.js';
import { type IncomingMessage, type SendOptions, type StopOptions, toMessage } from './messages.js';
import type { ErasureReport } from './erasure/report.js';
import type { ErasureTarget } from './erasure/target.js';
import { askOn } from './turn/asking.js';
import { billsBeside } from './turn/ledger.js';
import { changePin } from './turn/pinning.js';
import type { ProcessHost } from './process-host.js';
import { searchProcess } from './search/of-process.js';
import { lineageOf, type ProcessRecord, renameProcess } from './storage.js';
import { Timers } from './interrupts/timers.js';
import { WorkingContext } from './blocks/working-context.js';

/** One agent. Get it from `kernel.spawn`, `kernel.open` or `kernel.find`. */
export class Process {
  readonly pid: Pid;
  readonly name: string;
  /** What is always in view: named, size-limited texts. */
  readonly blocks: WorkingContext;
  /** What wakes it by itself. */
  readonly timers: Timers;
  readonly #record: ProcessRecord;
  readonly #host: ProcessHost;

  constructor(record: ProcessRecord, host: ProcessHost) {
    [this.pid, this.name, this.#record, this.#host] = [record.pid, record.name, record, host];
    const { services, limits } = host;
    this.blocks = new WorkingContext(record.pid, {
      services,
      limits,
      attached: (work) => host.workOn(record, async (active) => work(await active.runner())),
    });
    this.timers = new Timers(record, services, limits);
  }

  /**
   * Delivers a user's message and resolves when it is answered, by the turn that took it. Messages are served one
   * after the other. A message that was sent before under the same id gets the same result.
   * Errors: `E_INVALID`, `E_CONFLICT` (the id is of a message that was not sent), `E_STORAGE`, `E_LEASE_LOST`,
   * `E_NOT_OPEN`; what was in the inbox stays there. A failure of the model is no error but the result's `outcome`.
   */
  async send(input: string | IncomingMessage, options: SendOptions = {}): Promise<TurnResult> {
    const interrupt = this.#interrupt(input, true);
    return this.#use(async (active) => {
      await active.runner();
      // Minted ids are new; a caller's own may be of a message that a transcript brought.
      if (typeof input !== 'string' && input.id !== undefined) await active.inbox.refuseTaken(interrupt.id);
      const { signal, delivery } = options;
      return active.inbox.deliver({ ...interrupt, ...(delivery && { delivery }) }, signal);
    });
  }

  /**
   * Delivers an interrupt of any kind and resolves when it is durable in the inbox. Its turn comes by itself, here or in
   * the kernel that runs the process; a paused process takes it when it is resumed. The bus tells the result.
   * Errors: `E_INVALID`, `E_KILLED`, `E_STORAGE`, `E_NOT_OPEN`, `E_CONFLICT` (the id is of a message that was not sent).
   */
  async post(incoming: IncomingInterrupt): Promise<Receipt> {
    const { services, limits } = this.#host;
    const arrival = toArrival(incoming, services.mintId, services.clock.now(), limits);
    const { id } = arrival.interrupt;
    const { state, servedAs } = await this.#use(async ({ inbox }) => {
      if (incoming.id !== undefined) await inbox.refuseTaken(id);
      return inbox.post(arrival);
    });
    services.serveSoon(this.pid);
    return { id, state: state === 'overtaken' ? 'known' : state, servedAs };
  }

  /** A turn whose writes are thrown away: memory is read, and nothing is remembered but what it cost. */
  async ask(input: string | IncomingMessage, options: StopOptions = {}): Promise<TurnResult> {
    const runner = await this.#host.attachOverlay(this.#record);
    return askOn(runner, this.#host.services, this.#interrupt(input, true), options.signal);
  }

  /**
   * Takes in messages of a transcript: each is stored once, by its id, and a request is laid out for it, but no model
   * runs. Resolves when all are durable. Errors: `E_KILLED`, `E_CONTEXT_IRREDUCIBLE`; what was taken in before is kept.
   */
  async append(messages: readonly IncomingMessage[], options: StopOptions = {}): Promise<AppendReport> {
    const interrupts = messages.map((message) => this.#interrupt(message, false));
    const { recall } = this.#host.services;
    return this.#use((active) => appendAll(active, recall, this.#lineage, interrupts, options.signal));
  }

  /**
   * Puts passages into archival storage; resolves to their ids, in order. They are found by text at once, by meaning
   * when the index has caught up. One that is there already, by its id, stays as it is.
   * Errors: `E_INVALID` for an empty or too long text, or an id that is none.
   */
  async archive(passages: readonly IncomingPassage[]): Promise<readonly string[]> {
    const { services, limits } = this.#host;
    const checked = passages.map((passage) => toPassage(passage, services.mintId, limits));
    const missing = await missingPassages(services.recall, this.#lineage, checked);
    if (missing.length > 0) {
      const event = { type: 'passages', at: services.clock.now(), passages: missing } as const;
      await this.#use(async (active) => (await active.runner()).run(() => event));
    }
    return checked.map(({ id }) => id);
  }

  /** The same search that the model's functions use. */
  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchResults> {
    const { services, limits } = this.#host;
    const host = { lineage: this.#lineage, services, limits };
    return this.#use(async (active) => searchProcess(await active.runner(), host, request, signal));
  }

  /** The ids of the messages behind handles such as `m12`, in their order; others are left out. */
  messageIds(handles: readonly string[]): Promise<readonly string[]> {
    return messageIds(this.#host.services.recall, this.#lineage, handles);
  }

  /**
   * Keeps a page in the queue until it is unpinned: never evicted, and shown as a stub only when nothing else is left.
   * `handle` is `m<position>` of a message that is resident, or of what a resident `page_in` result shows.
   * Errors: `E_NOT_FOUND` when no resident page shows it, `E_PIN_LIMIT` when pins would take more of the budget than
   * `pinShare` of the limits.
   */
  pin(handle: string): Promise<void> {
    return this.#changePin({ kind: 'pin', handle });
  }

  /** Errors: `E_NOT_FOUND`, naming what is pinned. */
  unpin(handle: string): Promise<void> {
    return this.#changePin({ kind: 'unpin', handle });
  }

  /**
   * Makes a document readable to the model, in windows, by `read_document`: it is neither indexed nor summarised. The same
   * text under the same name is there already; another text takes the name over. Waits for no turn.
   * Errors: `E_INVALID` for an empty or too long text, a bad name, or more than `limits.documents`.
   */
  mapDocument(document: IncomingDocument): Promise<MappedDocument> {
    const { services, limits } = this.#host;
    return this.#use(async (active) => mapDocument(await active.runner(), services.recall, limits, document));
  }

  /** Those that are mapped, by name. */
  documents(): Promise<readonly MappedDocument[]> {
    return listDocuments(this.#host.services.recall, this.pid);
  }

  /** By name or handle. Windows that were read stay what they are. Errors: `E_NOT_FOUND`, naming those that there are. */
  unmapDocument(nameOrHandle: string): Promise<void> {
    const { recall } = this.#host.services;
    return this.#use(async (active) => unmapDocument(await active.runner(), recall, nameOrHandle));
  }

  /**
   * Runs it on another processor of the stack, by name, from the end of the turn under way on; without a name on the
   * stack's own. It is stored with the process. Memory stays what it is; it is counted anew, and what was pinned beyond the
   * limit of a smaller window is no longer pinned. Errors: `E_NOT_FOUND`, which lists the names.
   */
  async useProcessor(name?: string): Promise<void> {
    this.#host.services.processors.get(name);
    await this.#use((active) => active.useProcessor({ processor: name }));
  }

  /** What is in main context now, segment by segment and page by page. */
  async map(): Promise<MemoryMap> {
    return this.#use(async (active) => {
      const runner = await active.runner();
      const { recall } = this.#host.services;
      const beside = await billsBeside(recall, this.pid);
      return mapOf(this.#record, runner.state, runner.config, await this.documents(), beside);
    });
  }

  /**
   * Another name for people. What else the process is or does meanwhile stays as it is (C07). Handles made before keep
   * the old name. Errors: `E_INVALID` for a name that is blank, of several lines, or longer than 200 characters.
   */
  async rename(name: string): Promise<void> {
    return renameProcess(this.#host.services.recall, this.pid, checkProcessName(name));
  }

  /**
   * Another process with this one's memory, as of the last turn's end; from then on each goes its own way. Takes the same
   * time however long the history is. Timers, inbox and lease are not inherited.
   * Errors: `E_INVALID` for a line of forks that is too long; what `send` says.
   */
  async fork(options: ForkOptions = {}): Promise<Process> {
    return new Process(await this.#host.fork(this.#record, options), this.#host);
  }

  /**
   * Erases what is named, and every copy of it, between two turns: from the log and the search, from the queue and the
   * summary (which is made again from what is left), from recordings and forks. The report says what went, and what still
   * quotes it. A crash or an index that fails delays it; then it is gone on with when the process is attached next.
   * Errors: `E_INVALID`; `E_NOT_FOUND` for what is not there; `E_CONFLICT` for what is in the log of an ancestor.
   */
  erase(target: ErasureTarget): Promise<ErasureReport> {
    return this.#host.erase(this.#record, target);
  }

  /** Serves nothing from the end of the turn under way on; what arrives waits. Errors: `E_KILLED`, as of those below. */
  pause(): Promise<void> {
    return this.#control((control) => ({ ...control, paused: true }));
  }

  /** Ends a pause, and serves what waits, also what a crash left. Rejects with the first failure, after all were tried. */
  async resume(): Promise<void> {
    await this.#control((control) => ({ ...control, paused: false }));
    await this.#serve();
  }

  /** Interrupts of these kinds wait in the inbox until they are unmasked. Errors: `E_INVALID`, which lists the kinds. */
  async mask(...kinds: readonly InterruptKind[]): Promise<void> {
    checkKinds(kinds);
    return this.#control((control) => ({ ...control, masked: [...new Set([...control.masked, ...kinds])] }));
  }

  /** Serves interrupts of these kinds again, and those that wait. */
  async unmask(...kinds: readonly InterruptKind[]): Promise<void> {
    checkKinds(kinds);
    await this.#control((control) => ({
      ...control,
      masked: control.masked.filter((kind) => !kinds.includes(kind)),
    }));
    await this.#serve();
  }

  /**
   * Ends the process: the turn under way is stopped, what waits in the inbox is thrown away, and nothing is taken any more
   * (`E_KILLED`). Its memory stays until it is erased.
   */
  async kill(): Promise<void> {
    const { recall, clock } = this.#host.services;
    await markKilled(recall, this.pid, clock.now());
    await this.#use(async (active) => {
      await active.stopTurn();
      active.inbox.changed();
      await active.inbox.serve();
      await active.detach();
    });
  }

  /** Stops the turn that is under way, if one is. */
  stopTurn(): Promise<void> {
    return this.#use((active) => active.stopTurn());
  }

  get #lineage(): Lineage {
    return lineageOf(this.#record);
  }

  #use<T>(work: (active: ActiveProcess) => Promise<T>): Promise<T> {
    return this.#host.workOn(this.#record, work);
  }

  async #control(change: Parameters<typeof changeControl>[2]): Promise<void> {
    const { recall, inboxChanged } = this.#host.services;
    await this.#use(() => changeControl(recall, this.pid, change));
    inboxChanged(this.pid);
  }

  async #serve(): Promise<void> {
    const [failure] = await this.#use(async (active) => {
      await active.runner();
      return active.inbox.serve();
    });
    if (failure !== undefined) throw failure;
  }

  async #changePin(change: PinChange): Promise<void> {
    const { clock } = this.#host.services;
    await this.#use(async (active) => changePin(await active.runner(), change, clock));
  }

  #interrupt(input: string | IncomingMessage, respond: boolean): Interrupt {
    const { mintId, clock } = this.#host.services;
    const incoming = typeof input === 'string' ? { text: input } : input;
    const message = toMessage(incoming, mintId, clock.now(), this.#host.limits);
    return { id: message.id, kind: 'user', message, respond };
  }
}
