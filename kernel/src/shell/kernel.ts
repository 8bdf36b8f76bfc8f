import type { Pid, Tokens } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { Bus } from '../bus.js';
import { budgetOf } from '../core/budget.js';
import type { MachineConfig } from '../core/config.js';
import type { Dialect } from '../core/dialect/memgpt.js';
import type { Layout } from '../core/layout/layout.js';
import { type Block, createState, type ProcessState } from '../core/state.js';
import type { Limits } from '../limits.js';
import type { PolicyFactory } from '../policy/policy.js';
import type { Indexer } from './indexer.js';
import { ProcessLease } from './lease.js';
import { type MemoryMap, mapOf } from './memory-map.js';
import { overlay } from './overlay.js';
import { configurePolicy, rebuildPolicy, restorePolicy, savePolicy, SNAPSHOT_BYTES } from './policy-state.js';
import { Process, type ProcessHost } from './process.js';
import { RECORDING_VERSION, type RecordingSink } from './recording.js';
import { Runner } from './runner.js';
import type { Services } from './services.js';
import { listProcesses, loadProcess, loadState, PROCESS_SPACE, type ProcessRecord } from './storage.js';

export interface KernelParts {
  readonly services: Services;
  readonly limits: Limits;
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly policy: PolicyFactory;
  readonly program: Program;
  readonly indexer?: Indexer | undefined;
  /** Caps the processor's own window. */
  readonly window?: Tokens | undefined;
  readonly record?: ((pid: Pid) => RecordingSink) | undefined;
  /** Who this kernel is to the store's leases. */
  readonly owner: string;
  /** Closes, newest first, what boot opened. */
  readonly shutdown: () => Promise<void>;
}

/** What a new process runs, unless it brings its own. */
export interface Program {
  readonly instructions: string;
  readonly blocks: readonly NewBlock[];
}

export interface NewBlock {
  readonly name: string;
  readonly value?: string;
  /** Code points. Default `blockCharacters` of the limits. */
  readonly limit?: number;
  readonly readOnly?: boolean;
}

export interface SpawnOptions {
  /** For people; need not be unique. Default: the pid. */
  readonly name?: string;
  readonly instructions?: string;
  readonly blocks?: readonly NewBlock[];
}

interface Attached {
  readonly runner: Runner;
  save(): Promise<void>;
}

/** The running kernel: its processes and its bus. Made by `boot`. */
export class Kernel implements AsyncDisposable {
  readonly #parts: KernelParts;
  readonly #attached = new Map<Pid, Promise<Attached>>();
  readonly #processes = new Map<Pid, Process>();
  #closing: Promise<void> | undefined;

  constructor(parts: KernelParts) {
    this.#parts = parts;
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
      name: options.name ?? pid,
      createdAt: services.clock.now(),
      instructions: options.instructions ?? program.instructions,
    };
    const blocks = (options.blocks ?? program.blocks).map((block) => toBlock(block, this.#parts.limits));
    await this.#remember(pid, this.#attach(record, createState({ pid, blocks }), undefined));
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
    return mapOf(record, state, budgetOf(this.#config(record).processor, this.#parts.limits));
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

  async #close(): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (work: Promise<unknown>) => work.catch((error: unknown) => failures.push(error));
    for (const attached of this.#attached.values()) {
      await attempt(
        attached.then(async ({ runner, save }) => (runner.stopTurn(), await save(), await runner.close())),
      );
    }
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
      attachOverlay: (wanted) => this.#overlayRunner(wanted),
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
    const current = this.#attached.get(record.pid) ?? this.#remember(record.pid, this.#load(record));
    return (await current).runner;
  }

  #remember(pid: Pid, attaching: Promise<Attached>): Promise<Attached> {
    this.#attached.set(pid, attaching);
    attaching.catch(() => this.#attached.delete(pid));
    return attaching;
  }

  async #load(record: ProcessRecord): Promise<Attached> {
    const { recall } = this.#parts.services;
    // The lease first: what is read before it may be written by another kernel meanwhile.
    const lease = await this.#lease(record.pid);
    try {
      const state = await loadState(recall, record.pid);
      if (!state) throw new PagefaultError('E_NOT_FOUND', `process ${record.pid} has no stored state`);
      return await this.#attach(record, state, state, lease);
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  async #attach(
    record: ProcessRecord,
    state: ProcessState,
    saved: ProcessState | undefined,
    held?: ProcessLease,
  ): Promise<Attached> {
    const { services, policy: makePolicy, layout, dialect, record: makeRecording } = this.#parts;
    const lease = held ?? (await this.#lease(record.pid));
    const config = this.#config(record);
    const policy = makePolicy();
    configurePolicy(policy, config);
    if (saved) await this.#restore(policy, saved);
    const recording = makeRecording?.(record.pid);
    const snapshot = Buffer.from(policy.snapshot(SNAPSHOT_BYTES)).toString('base64');
    recording?.write({
      type: 'header',
      version: RECORDING_VERSION,
      config,
      state,
      policy: { id: policy.id, version: policy.version, snapshot },
    });
    const runner = new Runner({
      services,
      recall: services.recall,
      config,
      parts: { policy, layout, dialect },
      state,
      saved,
      lease,
      ...(saved ? {} : { firstCommit: birthOf(record) }),
      ...(recording && { recording }),
    });
    await runner.attach();
    return { runner, save: () => this.#save(record.pid, policy, runner, lease) };
  }

  async #restore(policy: ReturnType<PolicyFactory>, state: ProcessState): Promise<void> {
    const { services } = this.#parts;
    const known = await restorePolicy(services.recall, policy, state);
    if (known || state.pages.length === 0) return;
    services.bus.raise('policy-reset', { name: 'policy-reset', policy: policy.id, pid: state.head.pid });
  }

  async #save(
    pid: Pid,
    policy: ReturnType<PolicyFactory>,
    runner: Runner,
    lease: ProcessLease,
  ): Promise<void> {
    if (runner.isBroken) return;
    await runner.inLine(() =>
      savePolicy(this.#parts.services.recall, pid, policy, runner.state, lease.fence),
    );
  }

  #lease(pid: Pid): Promise<ProcessLease> {
    const { services, owner, limits } = this.#parts;
    const onLost = () => {
      services.bus.raise('lease-lost', { pid });
      const reason = new PagefaultError('E_LEASE_LOST', `process ${pid} was taken over by another kernel`);
      void this.#attached.get(pid)?.then(({ runner }) => runner.stopTurn(reason));
    };
    return ProcessLease.acquire(services.recall, pid, owner, limits.leaseMs, onLost);
  }

  async #overlayRunner(record: ProcessRecord): Promise<Runner> {
    const { services, policy: makePolicy, layout, dialect } = this.#parts;
    const state = await loadState(services.recall, record.pid);
    if (!state) throw new PagefaultError('E_NOT_FOUND', `process ${record.pid} has no stored state`);
    const config = { ...this.#config(record), vectors: false };
    const policy = makePolicy();
    configurePolicy(policy, config);
    rebuildPolicy(policy, state);
    const recall = overlay(services.recall);
    const runner = new Runner({
      services,
      recall,
      config,
      parts: { policy, layout, dialect },
      state,
      saved: state,
    });
    await runner.attach();
    return runner;
  }

  #config(record: ProcessRecord): MachineConfig {
    const { services, limits, layout, dialect, policy, window } = this.#parts;
    const { processor, executor } = services;
    const { model, window: own, maxOutput } = processor.supports;
    return {
      pid: record.pid,
      limits,
      instructions: record.instructions,
      tools: executor.definitions().map((tool) => dialect.tool(tool)),
      processor: { driver: processor.name, model, window: Math.min(own, window ?? own), maxOutput },
      layout: layout.id,
      dialect: dialect.id,
      policy: policy().id,
      vectors: this.#parts.indexer !== undefined,
    };
  }
}

function birthOf(record: ProcessRecord) {
  const key = { space: PROCESS_SPACE, key: 'process' };
  return { puts: [{ ...key, value: { ...record } }], expect: [{ ...key, version: 0 }] };
}

function toBlock(block: NewBlock, limits: Limits): Block {
  const { name, value = '', limit = limits.blockCharacters, readOnly = false } = block;
  if (!/^[a-z][a-z0-9_-]{0,63}$/i.test(name)) {
    throw new PagefaultError(
      'E_INVALID',
      `block name "${name}" is not a letter followed by letters, digits, _ or -`,
    );
  }
  if ([...value].length > limit) {
    throw new PagefaultError(
      'E_INVALID',
      `block "${name}" has ${[...value].length} characters, its limit is ${limit}`,
    );
  }
  return { name, value, limit, version: 1, readOnly };
}

function closeError(failures: readonly unknown[]): unknown {
  if (failures.length === 1) return failures[0];
  return new AggregateError(failures, `${failures.length} things failed while the kernel closed`);
}
