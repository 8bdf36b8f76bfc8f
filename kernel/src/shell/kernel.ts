import type { Milliseconds, Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import type { SharedView } from '../core/block-edit.js';
import { type NewBlock, toBlocks } from '../core/new-block.js';
import { pressureOf } from '../core/pressure.js';
import { describeSizes, IRREDUCIBLE_HINT } from '../core/reclaim.js';
import { createState } from '../core/state.js';
import { checkProcessName } from '../core/process-name.js';
import { normaliseText } from '../core/text.js';
import { checkZone } from '../core/zone.js';
import { attachNew, attachOverlay } from './processes/attach.js';
import { configToShow } from './processes/driven.js';
import { type Environment, withServices } from './environment.js';
import { listDocuments } from './memory/documents.js';
import { Erasures } from './erasure/erasures.js';
import type { ErasureReport } from './erasure/report.js';
import type { EraseOptions } from './erasure/whole.js';
import { forkProcess } from './processes/fork.js';
import type { ProcessIndex } from './search/index-check.js';
import { listProcesses, type ProcessInfo } from './processes/listing.js';
import { billsBeside } from './turn/ledger.js';
import { type MemoryMap, mapOf } from './memory-map.js';
import { Process } from './process.js';
import type { ProcessHost } from './process-host.js';
import { ProcessTable } from './processes/process-table.js';
import type { Runner } from './runner.js';
import type { ServeOptions } from './interrupts/service.js';
import type { KernelServices, Services } from './services.js';
import { Serving } from './interrupts/serving.js';
import { createSharedBlock, type NewSharedBlock, SharedBlock } from './blocks/shared-block.js';
import { currentBlocks, listShared } from './blocks/shared-store.js';
import { closedError, closeError, type CloseOptions } from './stopping.js';
import { loadProcess, loadState, type ProcessRecord } from './storage.js';

export interface KernelParts extends Omit<Environment, 'attaching' | 'secondLooks' | 'services'> {
  readonly services: KernelServices;
  readonly program: Program;
  /** Of new processes that name none. */
  readonly zone: string;
  /** Closes, newest first, what boot opened. */
  readonly shutdown: () => Promise<void>;
}

/** What a new process runs, unless it brings its own. */
export interface Program {
  readonly instructions: string;
  readonly blocks: readonly NewBlock[];
}

export interface SpawnOptions {
  /** For people; need not be unique. One line of up to 200 characters. Default: the pid. */
  readonly name?: string;
  readonly instructions?: string;
  readonly blocks?: readonly NewBlock[];
  /** IANA name of the user's time zone: what `today` means, and how times are shown. Default: the kernel's. */
  readonly zone?: string;
  /** The name of the processor that it runs on. Default: the stack's own. */
  readonly processor?: string;
}

/** The running kernel: its processes and its bus. Made by `boot`. */
export interface IndexCheckOptions {
  /** Default: only look. */
  readonly repair?: boolean;
  readonly signal?: AbortSignal;
}

export class Kernel implements AsyncDisposable {
  readonly #parts: Environment & Pick<KernelParts, 'program' | 'zone' | 'shutdown'>;
  readonly #table: ProcessTable;
  readonly #host: ProcessHost;
  readonly #erasures: Erasures;
  readonly #serving: Serving;
  #closing: Promise<void> | undefined;

  constructor(parts: KernelParts) {
    const services: Services = {
      ...parts.services,
      wakeScheduler: (dueAt) => this.#serving.wake(dueAt),
      serveSoon: (pid) => this.#serving.soon(pid),
      leaseRenewed: (pid) => this.#serving.leaseRenewed(pid),
      inboxChanged: (pid) => this.#table.inboxChanged(pid),
    };
    this.#parts = withServices(parts, services);
    this.#table = new ProcessTable(this.#parts);
    this.#serving = new Serving({ services, limits: parts.limits, table: this.#table });
    this.#erasures = new Erasures(this.#parts, this.#table);
    this.#host = {
      services,
      limits: parts.limits,
      workOn: (record, work) => this.#table.workOn(record, work),
      attachOverlay: (record) => attachOverlay(this.#parts, record),
      fork: (record, options) => forkProcess(this.#parts, this.#table, record, options),
      erase: (record, target) => this.#erasures.from(record, target),
    };
  }

  get bus(): Bus {
    return this.#parts.services.bus;
  }

  /** Names of the processors that a process may run on; the first is the stack's own. */
  get processors(): readonly string[] {
    const { standard, names } = this.#parts.services.processors;
    return [standard, ...names.filter((name) => name !== standard)];
  }

  /**
   * Makes a process and stores it.
   * Errors: `E_CONTEXT_IRREDUCIBLE` when program, blocks and tools alone exceed the budget; `E_INVALID`
   * for a name, blocks or a zone; `E_BLOCK` for too many blocks; `E_NOT_FOUND` for a processor that is not there.
   */
  async spawn(options: SpawnOptions = {}): Promise<Process> {
    const { services, program, zone } = this.#parts;
    const pid = services.mintId();
    const record: ProcessRecord = {
      pid,
      name: options.name === undefined ? pid : checkProcessName(options.name),
      createdAt: services.clock.now(),
      instructions: normaliseText(options.instructions ?? program.instructions),
      zone: checkZone(options.zone ?? zone),
    };
    const blocks = toBlocks(options.blocks ?? program.blocks, this.#parts.limits);
    const { processor } = options;
    services.processors.get(processor);
    const state = createState({ pid, blocks, processor });
    await this.#table.workOn(record, async (active) => {
      const { runner } = await active.begin(attachNew(this.#parts, record, state));
      if (pressureOf(runner.state) > runner.budget.tokens) throw await this.#abandon(runner);
    });
    return this.#process(record);
  }

  /** Errors: `E_NOT_FOUND`. */
  async open(pid: Pid): Promise<Process> {
    const record = await loadProcess(this.#parts.services.recall, pid);
    if (!record)
      throw new PagefaultError('E_NOT_FOUND', `there is no process ${pid}`, {
        hint: '`pagefault ps` lists them',
      });
    return this.#process(record);
  }

  /** The process with that pid, or else the oldest of that name. */
  async find(nameOrPid: string): Promise<Process | undefined> {
    const known = await loadProcess(this.#parts.services.recall, nameOrPid);
    if (known) return this.#process(known);
    const [oldest] = (await this.list())
      .filter(({ name }) => name === nameOrPid)
      .toSorted((a, b) => a.createdAt - b.createdAt);
    return oldest && this.#process(oldest);
  }

  /** Whether this kernel has the process attached. */
  isRunning(pid: Pid): boolean {
    return this.#table.isAttached(pid);
  }

  /** All processes of the store, in the order in which they were made. */
  list(): Promise<ProcessInfo[]> {
    return listProcesses(this.#parts.services.recall);
  }

  /**
   * Lets go of the processes that were idle for so long: their pages leave this machine's memory and their leases are
   * given back; the next interrupt loads them again. Resolves to how many these were.
   */
  passivate(idleFor: Milliseconds = 0): Promise<number> {
    return this.#table.passivate(idleFor);
  }

  /**
   * Claims timers whenever they are due, and serves what is in the inboxes, also what a crash left there, until the kernel
   * is closed; the program stays alive for it. Resolves when all that is due now is on its way. What comes of it is told
   * on the bus: `turn-result`, `serve-failed`. A second call changes nothing.
   */
  async serve(options: ServeOptions = {}): Promise<void> {
    if (this.#closing) throw closedError();
    await this.#serving.start(options);
  }

  /**
   * Makes a block that several processes may attach, and resolves to its id. It is nobody's: it stays when they go.
   * Errors: `E_INVALID`.
   */
  createSharedBlock(block: NewSharedBlock): Promise<string> {
    return createSharedBlock(this.#parts, block);
  }

  /** To read, edit and erase a shared block from outside of any process. Whether there is one shows when it is used. */
  sharedBlock(id: string): SharedBlock {
    return new SharedBlock(id, this.#parts);
  }

  listSharedBlocks(): Promise<readonly SharedView[]> {
    return listShared(this.#parts.services.recall);
  }

  /**
   * Erases a process: log, rows, vectors, recordings. Its turn is stopped, who waits is refused.
   * Errors: `E_NOT_FOUND`; `E_CONFLICT` for one that has forks, unless `cascade`, which erases these first;
   * `E_LEASE_LOST` while another kernel runs it.
   */
  erase(pid: Pid, options: EraseOptions = {}): Promise<ErasureReport> {
    return this.#erasures.whole(pid, options);
  }

  /** Erases what one person said in all processes of the store: a report for each that held any of it. */
  eraseSpeaker(name: string): Promise<readonly ErasureReport[]> {
    return this.#erasures.ofSpeaker(name);
  }

  /**
   * Goes on with erasures that a crash or a failing index left open. `boot` begins it in the background; what fails is
   * told on the bus.
   */
  resumeErasures(): Promise<readonly ErasureReport[]> {
    return this.#erasures.resume();
  }

  /**
   * A process's memory without running it: reads the store, takes no lease. Shared blocks as they are now, which the
   * model sees at its next turn. Errors: `E_NOT_FOUND`.
   */
  async inspect(pid: Pid): Promise<MemoryMap> {
    const { recall } = this.#parts.services;
    const record = await loadProcess(recall, pid);
    const state = record && (await loadState(recall, record));
    if (!record || !state) throw new PagefaultError('E_NOT_FOUND', `process ${pid} has no stored state`);
    const blocks = await currentBlocks(recall, state.blocks);
    const config = configToShow(this.#parts, record, state.head.processor);
    return mapOf(
      record,
      { ...state, blocks },
      config,
      await listDocuments(recall, pid),
      await billsBeside(recall, pid),
    );
  }

  /** Resolves when every text has its vector, or has failed once more. */
  async settle(): Promise<void> {
    await this.#parts.indexer?.drain();
  }

  /**
   * Compares the archival index with recall, process by process; see `ProcessIndex`. With `repair` the difference is
   * removed: `settle` waits for the vectors, and `indexed` on the bus tells how far they are.
   * Errors: `E_UNSUPPORTED` for a stack without an index.
   */
  async *checkIndex({ repair = false, signal }: IndexCheckOptions = {}): AsyncGenerator<ProcessIndex> {
    const { indexer, services } = this.#parts;
    if (!indexer)
      throw new PagefaultError('E_UNSUPPORTED', 'this stack has no archival index to look at', {
        hint: 'name an archival driver and an embedder; search by text needs none',
      });
    for (const { pid } of await listProcesses(services.recall))
      yield await indexer.check(pid, repair, signal);
    if (repair) indexer.wake();
  }

  /** Takes nothing any more, ends the turns under way, lets go of the processes, and closes the drivers. Idempotent. */
  close({ graceMs = 0 }: CloseOptions = {}): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A process that cannot send a single request is not kept. */
  async #abandon(runner: Runner): Promise<PagefaultError> {
    const sizes = describeSizes(runner.state, runner.budget);
    await runner.close();
    this.#table.forget(runner.pid);
    await this.#parts.services.recall.erase({ pid: runner.pid, whole: true });
    return new PagefaultError('E_CONTEXT_IRREDUCIBLE', sizes, { hint: IRREDUCIBLE_HINT });
  }

  async #close(grace: Milliseconds): Promise<void> {
    await this.#serving.stopClaiming();
    this.#parts.attaching.shut();
    const served = this.#serving.stop();
    await this.#table.shut(grace);
    await Promise.all([served, this.#erasures.close()]);
    const failures = [...(await this.#table.detachAll())];
    await this.#parts.shutdown().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw closeError(failures);
  }

  #process(record: ProcessRecord): Process {
    if (this.#closing) throw closedError();
    return new Process(record, this.#host);
  }
}
