/** Makes a stored process run: lease, state, policy, recording, runner. */
import type { Json, Pid, Put } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { MachineConfig } from '../../core/config.js';
import { RECORDING_VERSION } from '../../core/recording.js';
import type { ProcessState } from '../../core/state.js';
import { guardPolicy } from '../../guard/policy.js';
import type { PagingPolicy } from '../../policy/policy.js';
import { readControl } from './control.js';
import type { Environment } from '../environment.js';
import type { Erasing } from '../erasure/carry-out.js';
import type { ErasureJob } from '../erasure/job.js';
import { goOn, type OngoingErasure } from '../erasure/ongoing.js';
import { notePlace } from '../erasure/recordings.js';
import { drive } from './driven.js';
import { lazyPolicy } from './lazy-policy.js';
import { ProcessLease } from './lease.js';
import { overlay } from '../overlay.js';
import {
  configurePolicy,
  rebuildPolicy,
  restorePolicy,
  savePolicy,
  snapshotRow,
  SNAPSHOT_BYTES,
} from './policy-state.js';
import type { ProcessorChoice } from './processor-choice.js';
import { type RecordingSink, type RecordingStore, Tape } from '../recordings/recording.js';
import { Runner } from '../runner.js';
import type { Services } from '../services.js';
import {
  lineageOf,
  loadState,
  loadStored,
  PROCESS_ROW,
  type ProcessRecord,
  type StoredProcess,
} from '../storage.js';

export interface Attached extends Erasing {
  /** Erasures that were left open before, and were gone on with while it was attached. */
  readonly erasures: readonly OngoingErasure[];
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

/**
 * The lease first: what is read before it may be written by another kernel meanwhile. With `use` it is put on another
 * processor. Errors: `E_LEASE_LOST`; `E_CONFIG` when the processor that it chose is not there.
 */
export async function attachStored(
  environment: Environment,
  record: ProcessRecord,
  use?: ProcessorChoice,
): Promise<Attached> {
  const lease = await acquireLease(environment, record.pid);
  const { state, erasures } = await stored(environment, record).catch(async (error: unknown) => {
    await lease.release().catch(() => undefined); // The first failure is the one to tell; the lease runs out.
    throw error;
  });
  environment.indexer?.catchUp(lineageOf(record).map(({ pid }) => pid));
  return attach(environment, record, { state, saved: state, erasures, use }, lease);
}

/** On an overlay of what is stored: no lease, and nothing is kept. */
export async function attachOverlay(environment: Environment, record: ProcessRecord): Promise<Runner> {
  const { services, layout, dialect } = environment;
  const state = await loadState(services.recall, record);
  if (!state) throw notStored(record);
  const driven = drive(environment, record, state.head.processor);
  const config = { ...driven.config, vectors: false };
  const policy = lazyPolicy(configured(environment, config), (asked) => rebuildPolicy(asked, state));
  const recall = overlay(services.recall);
  const parts = { policy, layout, dialect };
  const lineage = lineageOf(record);
  const runner = new Runner({ ...driven, services, recall, lineage, config, parts, state, saved: state });
  // A turn that runs now is another's: it is not run a second time here, with all that its tools do.
  await runner.attach(AbortSignal.abort());
  return runner;
}

interface Origin {
  readonly state: ProcessState;
  /** What the store holds of it: undefined for a new process. */
  readonly saved: ProcessState | undefined;
  readonly inherited?: Inherited;
  readonly erasures?: readonly ErasureJob[];
  readonly use?: ProcessorChoice | undefined;
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
  { state, saved, erasures = [], use, inherited: { snapshot, puts = [] } = {} }: Origin,
  lease: ProcessLease,
): Promise<Attached> {
  const { services, layout, dialect, record: recordings } = environment;
  let runner: Runner | undefined;
  try {
    const driven = drive(environment, record, use ? use.processor : state.head.processor);
    const policy = configured(environment, driven.config);
    if (saved) await restore(services, policy, saved);
    else if (!snapshot || !policy.restore(snapshot, policy.version)) rebuildPolicy(policy, state);
    const started = (runner = new Runner({
      services,
      recall: services.recall,
      lineage: lineageOf(record),
      ...driven,
      parts: { policy, layout, dialect },
      state,
      saved,
      lease,
      ...(saved ? {} : { firstCommit: birthOf(record, [snapshotRow(policy, state), ...puts]) }),
      tape: new Tape(recordings && ((from, config) => beginRecording(recordings, config, from, policy))),
    }));
    lease.whenLost((error) => {
      services.bus.raise('lease-lost', { pid: record.pid });
      started.stopTurn(error);
    });
    // Whoever posts from another kernel cannot tell this one.
    if (services.recall.supports.shared) lease.whenRenewed(() => services.leaseRenewed(record.pid));
    environment.attaching.add(started);
    const erasing = { environment, record, runner: started, policy, fence: lease.fence };
    const ongoing = await begin(erasing, erasures, use).finally(() => environment.attaching.delete(started));
    if (recordings) await notePlace(services.recall, record.pid, recordings.place);
    const attachedAs = started.state;
    return {
      ...erasing,
      erasures: ongoing,
      snapshot: () => policy.snapshot(SNAPSHOT_BYTES),
      detach: () => detach(services, policy, started, lease, attachedAs),
    };
  } catch (error) {
    // The first failure is the one to tell; a lease that cannot be given back runs out.
    await (runner ? runner.close() : lease.release()).catch(() => undefined);
    throw error;
  }
}

/**
 * What is erased must be gone before the model is shown anything: a turn that was cut off is ended then. So is one of a
 * process that was killed.
 */
async function begin(
  erasing: Erasing,
  erasures: readonly ErasureJob[],
  use: ProcessorChoice | undefined,
): Promise<readonly OngoingErasure[]> {
  const { environment, runner } = erasing;
  const isOver = async () =>
    (await readControl(environment.services.recall, runner.pid)).killedAt !== undefined;
  const mustEnd = erasures.length > 0 || (runner.state.turn !== undefined && (await isOver()));
  await runner.attach(mustEnd ? AbortSignal.abort() : undefined, use);
  return erasures.length > 0 ? goOn(erasing, erasures) : [];
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

async function stored({ services }: Environment, record: ProcessRecord): Promise<StoredProcess> {
  const found = await loadStored(services.recall, record);
  if (!found) throw notStored(record);
  return found;
}

function notStored({ pid }: ProcessRecord): PagefaultError {
  return new PagefaultError('E_NOT_FOUND', `process ${pid} has no stored state`);
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
  recordings: RecordingStore,
  config: MachineConfig,
  state: ProcessState,
  policy: PagingPolicy,
): RecordingSink {
  const recording = recordings.open(config.pid);
  const snapshot = Buffer.from(policy.snapshot(SNAPSHOT_BYTES)).toString('base64');
  const { id, version } = policy;
  recording.write({
    type: 'header',
    version: RECORDING_VERSION,
    config,
    state,
    policy: { id, version, snapshot },
  });
  return recording;
}

/** A fork keeps what its parent's policy knew, and its documents. */
function birthOf(record: ProcessRecord, inherited: readonly Put[]) {
  const value = { ...record } as unknown as Json;
  return {
    puts: [{ ...PROCESS_ROW, value }, ...(record.ancestors ? inherited : [])],
    expect: [{ ...PROCESS_ROW, version: 0 }],
  };
}
