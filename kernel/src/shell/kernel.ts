import type { Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import { budgetOf } from '../core/budget.js';
import { type NewBlock, toBlocks } from '../core/new-block.js';
import { pressureOf } from '../core/pressure.js';
import { describeSizes, IRREDUCIBLE_HINT } from '../core/reclaim.js';
import { createState } from '../core/state.js';
import { normaliseText } from '../core/text.js';
import {
  type Attached,
  Attaching,
  attachNew,
  attachOverlay,
  attachStored,
  type Environment,
  machineConfig,
} from './attach.js';
import { type MemoryMap, mapOf } from './memory-map.js';
import { Process, type ProcessHost } from './process.js';
import type { Runner } from './runner.js';
import { listProcesses, loadProcess, loadState, type ProcessRecord } from './storage.js';

export interface KernelParts extends Omit<Environment, 'attaching'> {
  readonly program: Program;
  /** Closes, newest first, what boot opened. */
  readonly shutdown: () => Promise<void>;
}

/** What a new process runs, unless it brings its own. */
export interface Program {
  readonly instructions: string;
  readonly blocks: readonly NewBlock[];
}

export interface SpawnOptions {
  /** For people; need not be unique. Default: the pid. */
  readonly name?: string;
  readonly instructions?: string;
  readonly blocks?: readonly NewBlock[];
}

/** The running kernel: its processes and its bus. Made by `boot`. */
export class Kernel implements AsyncDisposable {
  readonly #parts: KernelParts & Environment;
  readonly #attached = new Map<Pid, Promise<Attached>>();
  readonly #processes = new Map<Pid, Process>();
  #closing: Promise<void> | undefined;

  constructor(parts: KernelParts) {
    this.#parts = { ...parts, attaching: new Attaching() };
  }

  get bus(): Bus {
    return this.#parts.services.bus;
  }

  /**
   * Makes a process and stores it.
   * Errors: `E_CONTEXT_IRREDUCIBLE` when program, blocks and tools alone exceed the budget; `E_INVALID` for blocks.
   */
  async spawn(options: SpawnOptions = {}): Promise<Process> {
    const { services, program } = this.#parts;
    const pid = services.mintId();
    const record: ProcessRecord = {
      pid,
      name: normaliseText(options.name ?? pid),
      createdAt: services.clock.now(),
      instructions: normaliseText(options.instructions ?? program.instructions),
    };
    const blocks = toBlocks(options.blocks ?? program.blocks, this.#parts.limits);
    const state = createState({ pid, blocks });
    const { runner } = await this.#remember(pid, attachNew(this.#parts, record, state));
    if (pressureOf(runner.state) > runner.budget.tokens) throw await this.#abandon(runner);
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

  /** The oldest process of that name, or the process with that pid. */
  async find(nameOrPid: string): Promise<Process | undefined> {
    const records = await this.list();
    const record =
      records.find(({ pid }) => pid === nameOrPid) ??
      records.filter(({ name }) => name === nameOrPid).toSorted((a, b) => a.createdAt - b.createdAt)[0];
    return record && this.#process(record);
  }

  /** Whether this kernel has the process attached. */
  isRunning(pid: Pid): boolean {
    return this.#attached.has(pid);
  }

  list(): Promise<ProcessRecord[]> {
    return listProcesses(this.#parts.services.recall);
  }

  /** A process's memory without running it: reads the store, takes no lease. */
  async inspect(pid: Pid): Promise<MemoryMap> {
    const record =
      (await this.open(pid)).pid === pid ? await loadProcess(this.#parts.services.recall, pid) : undefined;
    const state = await loadState(this.#parts.services.recall, pid);
    if (!record || !state) throw new PagefaultError('E_NOT_FOUND', `process ${pid} has no stored state`);
    return mapOf(record, state, budgetOf(machineConfig(this.#parts, record).processor, this.#parts.limits));
  }

  /** Resolves when every text has its vector, or has failed once more. */
  async settle(): Promise<void> {
    await this.#parts.indexer?.drain();
  }

  /** Stops the turns under way, lets go of the processes, and closes the drivers. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A process that cannot send a single request is not kept. */
  async #abandon(runner: Runner): Promise<PagefaultError> {
    const sizes = describeSizes(runner.state, runner.budget);
    await runner.close();
    this.#attached.delete(runner.pid);
    await this.#parts.services.recall.erase(runner.pid);
    return new PagefaultError('E_CONTEXT_IRREDUCIBLE', sizes, { hint: IRREDUCIBLE_HINT });
  }

  async #close(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error));
    this.#parts.attaching.shut();
    // One that fails to attach has told its caller, and holds nothing.
    const settled = await Promise.allSettled([...this.#attached.values()].map(shut));
    for (const attached of settled)
      if (attached.status === 'fulfilled') await attempt(attached.value.detach());
    await attempt(this.#parts.shutdown());
    if (failures.length > 0) throw closeError(failures);
  }

  #process(record: ProcessRecord): Process {
    const known = this.#processes.get(record.pid);
    if (known) return known;
    const host: ProcessHost = {
      services: this.#parts.services,
      limits: this.#parts.limits,
      attach: (wanted) => this.#runner(wanted),
      attachOverlay: (wanted) => attachOverlay(this.#parts, wanted),
    };
    const process = new Process(record, host);
    this.#processes.set(record.pid, process);
    return process;
  }

  async #runner(record: ProcessRecord): Promise<Runner> {
    if (this.#closing)
      throw new PagefaultError('E_NOT_OPEN', 'the kernel is closed', { hint: 'boot a new one' });
    const known = this.#attached.get(record.pid);
    if (known) {
      const { runner } = await known;
      if (!runner.isBroken) return runner;
      await runner.close().catch(() => undefined); // Broken already; its lease runs out by itself.
      if (this.#attached.get(record.pid) === known) this.#attached.delete(record.pid);
    }
    const current =
      this.#attached.get(record.pid) ?? this.#remember(record.pid, attachStored(this.#parts, record));
    return (await current).runner;
  }

  #remember(pid: Pid, attaching: Promise<Attached>): Promise<Attached> {
    this.#attached.set(pid, attaching);
    attaching.catch(() => this.#attached.delete(pid));
    return attaching;
  }
}

async function shut(attaching: Promise<Attached>): Promise<Attached> {
  const attached = await attaching;
  attached.runner.shut();
  return attached;
}

function closeError(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  return new AggregateError(failures, `${failures.length} things failed while the kernel closed`);
}
