/** Makes a stored process run: lease, state, policy, recording, runner. */
import type { Json, Pid, Put, Tokens } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { MachineConfig } from '../core/config.js';
import type { Dialect } from '../core/dialect/dialect.js';
import type { Layout } from '../core/layout/layout.js';
import { RECORDING_VERSION } from '../core/recording.js';
import type { ProcessState } from '../core/state.js';
import { guardPolicy } from '../guard/policy.js';
import type { Limits } from '../limits.js';
import type { PagingPolicy, PolicyFactory } from '../policy/policy.js';
import { programIn } from '../program.js';
import type { Indexer } from './indexer.js';
import { ProcessLease } from './lease.js';
import { overlay } from './overlay.js';
import {
  configurePolicy,
  rebuildPolicy,
  restorePolicy,
  savePolicy,
  snapshotRow,
  SNAPSHOT_BYTES,
} from './policy-state.js';
import type { RecordingSink, RecordingStore } from './recording.js';
import { Runner } from './runner.js';
import type { Services } from './services.js';
import { lineageOf, loadState, PROCESS_ROW, type ProcessRecord } from './storage.js';

/** What every process of one kernel runs with. */
export interface Environment {
  readonly services: Services;
  readonly limits: Limits;
  readonly layout: Layout;
  readonly dialect: Dialect;
  readonly policy: PolicyFactory;
  readonly indexer?: Indexer | undefined;
  /** Caps the processor's own window. */
  readonly window?: Tokens | undefined;
  readonly record?: RecordingStore | undefined;
  /** Who this kernel is to the store's leases. */
  readonly owner: string;
  /** Those that attach now and may be in the middle of a turn: closing must stop them too. */
  readonly attaching: Attaching;
}

/** Once it is shut, a runner that comes is shut too: closing waits for none that begins meanwhile. */
export class Attaching {
  readonly #runners = new Set<Runner>();
  #isShut = false;

  add(runner: Runner): void {
    this.#runners.add(runner);
    if (this.#isShut) stop(runner);
  }

  delete(runner: Runner): void {
    this.#runners.delete(runner);
  }

  shut(): void {
    this.#isShut = true;
    for (const runner of this.#runners) stop(runner);
  }
}

function stop(runner: Runner): void {
  void runner.shut();
  runner.stopTurn();
}

export interface Attached {
  readonly runner: Runner;
  /** What the policy knows now. */
  snapshot(): Uint8Array;
  /** Keeps what the policy knows; then lets go of the process. */
  detach(): Promise<void>;
}

/** A new process: the first commit writes who it is together with its state. A fork brings what its parent's policy knew. */
export async function attachNew(
  environment: Environment,
  record: ProcessRecord,
  state: ProcessState,
  inherited: Inherited = {},
): Promise<Attached> {
  const lease = await acquireLease(environment, record.pid);
  return attach(environment, record, { state, saved: undefined, inherited }, lease);
}

/** The lease first: what is read before it may be written by another kernel meanwhile. Errors: `E_LEASE_LOST`. */
export async function attachStored(environment: Environment, record: ProcessRecord): Promise<Attached> {
  const lease = await acquireLease(environment, record.pid);
  const state = await storedState(environment, record).catch(async (error: unknown) => {
    await lease.release().catch(() => undefined); // The first failure is the one to tell; the lease runs out.
    throw error;
  });
  return attach(environment, record, { state, saved: state }, lease);
}

/** On an overlay of what is stored: no lease, and nothing is kept. */
export async function attachOverlay(environment: Environment, record: ProcessRecord): Promise<Runner> {
  const { services, layout, dialect } = environment;
  const state = await storedState(environment, record);
  const config = { ...machineConfig(environment, record), vectors: false };
  const policy = configured(environment, config);
  rebuildPolicy(policy, state);
  const recall = overlay(services.recall);
  const parts = { policy, layout, dialect };
  const lineage = lineageOf(record);
  const runner = new Runner({ services, recall, lineage, config, parts, state, saved: state });
  // A turn that runs now is another's: it is not run a second time here, with all that its tools do.
  await runner.attach(AbortSignal.abort());
  return runner;
}

interface Origin {
  readonly state: ProcessState;
  /** What the store holds of it: undefined for a new process. */
  readonly saved: ProcessState | undefined;
  readonly inherited?: Inherited;
}

/** What a fork has from its parent beside the state. */
export interface Inherited {
  /** What the policy knew. */
  readonly snapshot?: Uint8Array | undefined;
  readonly puts?: readonly Put[];
}

async function attach(
  environment: Environment,
  record: ProcessRecord,
  { state, saved, inherited: { snapshot, puts = [] } = {} }: Origin,
  lease: ProcessLease,
): Promise<Attached> {
  const { services, layout, dialect } = environment;
  const config = machineConfig(environment, record);
  const policy = configured(environment, config);
  let runner: Runner | undefined;
  try {
    if (saved) await restore(services, policy, saved);
    else if (!snapshot || !policy.restore(snapshot, policy.version)) rebuildPolicy(policy, state);
    const recording = beginRecording(environment, config, state, policy);
    const started = (runner = new Runner({
      services,
      recall: services.recall,
      lineage: lineageOf(record),
      config,
      parts: { policy, layout, dialect },
      state,
      saved,
      lease,
      ...(saved ? {} : { firstCommit: birthOf(record, [snapshotRow(policy, state), ...puts]) }),
      ...(recording && { recording }),
    }));
    lease.whenLost((error) => {
      services.bus.raise('lease-lost', { pid: record.pid });
      started.stopTurn(error);
    });
    // Whoever posts from another kernel cannot tell this one.
    if (services.recall.supports.shared) lease.whenRenewed(() => services.serveSoon(record.pid));
    environment.attaching.add(started);
    await started.attach().finally(() => environment.attaching.delete(started));
    const attachedAs = started.state;
    return {
      runner: started,
      snapshot: () => policy.snapshot(SNAPSHOT_BYTES),
      detach: () => detach(services, policy, started, lease, attachedAs),
    };
  } catch (error) {
    // The first failure is the one to tell; a lease that cannot be given back runs out.
    await (runner ? runner.close() : lease.release()).catch(() => undefined);
    throw error;
  }
}

async function detach(
  services: Services,
  policy: PagingPolicy,
  runner: Runner,
  lease: ProcessLease,
  attachedAs: ProcessState,
): Promise<void> {
  runner.stopTurn();
  try {
    const save = () => savePolicy(services.recall, runner.pid, policy, runner.state, lease.fence);
    // A process that only looked on has nothing new to keep.
    await runner.inLine(async () => {
      if (!runner.isBroken && runner.state !== attachedAs) await save();
    });
  } finally {
    await runner.close();
  }
}

async function storedState({ services }: Environment, record: ProcessRecord): Promise<ProcessState> {
  const state = await loadState(services.recall, record);
  if (!state) throw new PagefaultError('E_NOT_FOUND', `process ${record.pid} has no stored state`);
  return state;
}

function acquireLease({ services, owner, limits }: Environment, pid: Pid): Promise<ProcessLease> {
  return ProcessLease.acquire(services.recall, pid, owner, limits.leaseMs);
}

function configured({ policy: makePolicy, services }: Environment, config: MachineConfig): PagingPolicy {
  const { pid, policy: name } = config;
  const policy = guardPolicy(makePolicy(), (error) =>
    services.bus.raise('policy-failed', { pid, policy: name, error }),
  );
  configurePolicy(policy, config);
  return policy;
}

async function restore(services: Services, policy: PagingPolicy, state: ProcessState): Promise<void> {
  const known = await restorePolicy(services.recall, policy, state);
  if (known || state.pages.length === 0) return;
  services.bus.raise('policy-reset', { name: 'policy-reset', policy: policy.id, pid: state.head.pid });
}

function beginRecording(
  { record: recordings }: Environment,
  config: MachineConfig,
  state: ProcessState,
  policy: PagingPolicy,
): RecordingSink | undefined {
  const recording = recordings?.open(config.pid);
  const snapshot = Buffer.from(policy.snapshot(SNAPSHOT_BYTES)).toString('base64');
  const { id, version } = policy;
  recording?.write({
    type: 'header',
    version: RECORDING_VERSION,
    config,
    state,
    policy: { id, version, snapshot },
  });
  return recording;
}

export function machineConfig(environment: Environment, record: ProcessRecord): MachineConfig {
  const { services, limits, layout, dialect, policy, window, indexer } = environment;
  const { processor, executor } = services;
  const { model, window: own, maxOutput } = processor.supports;
  return {
    pid: record.pid,
    limits,
    instructions: programIn(dialect.id, record.instructions),
    ...(record.zone !== undefined && { zone: record.zone }),
    tools: dialect.tools(executor.definitions()),
    processor: { driver: processor.name, model, window: Math.min(own, window ?? own), maxOutput },
    layout: layout.id,
    dialect: dialect.id,
    policy: policy().id,
    vectors: indexer !== undefined,
  };
}

/** A fork keeps what its parent's policy knew, and its documents. */
function birthOf(record: ProcessRecord, inherited: readonly Put[]) {
  const value = { ...record } as unknown as Json;
  return {
    puts: [{ ...PROCESS_ROW, value }, ...(record.ancestors ? inherited : [])],
    expect: [{ ...PROCESS_ROW, version: 0 }],
  };
}
