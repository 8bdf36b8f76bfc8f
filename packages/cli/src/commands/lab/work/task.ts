/** What is done at a time, here or in a worker: plain data in, plain data out. */
import { POLICIES } from '@pagefault/kernel';
import {
  type BoundedSetup,
  boundSoFar,
  type Contestant,
  contextBounds,
  FORESIGHT,
  type GridRow,
  isForesight,
  leastFaultCost,
  loadTrace,
  type LowerBounds,
  type PagingTrace,
  type PriceRatios,
  runCell,
  sessionsOf,
  type SimulationOptions,
} from '@pagefault/lab';
import type { ClosablePolicy } from '../../shared/policies.js';
import { loadContestants } from '../policies.js';

export type Task = RunTask | BoundTask;

export interface RunTask {
  readonly kind: 'run';
  /** An absolute path. */
  readonly trace: string;
  /** One of its sessions, from 0; left out: all of it. */
  readonly session?: number;
  /** A name, or a path from `cwd`. */
  readonly policy: string;
  readonly cwd: string;
  readonly options: SimulationOptions;
}

/** What no policy can do better. */
export interface BoundTask {
  readonly kind: 'bound';
  /** An absolute path. */
  readonly trace: string;
  readonly setup: BoundedSetup;
  readonly ratios: PriceRatios;
  /** Of each context; or of all together: of the steps up to one, or of what faults cost (`cost`), nothing else counted. */
  readonly ask: 'contexts' | 'fault cost' | { readonly step: number };
}

/** What comes of a task of each kind. */
export type Done =
  | { readonly kind: 'run'; readonly row: GridRow }
  | { readonly kind: 'bound'; readonly each: readonly LowerBounds[] };

/** By name, or by path from the folder; undefined for what names none. */
export type LoadContestant = (policy: string, cwd: string) => Promise<Contestant | undefined>;

/** What is loaded once for all tasks of a thread. */
export class Desk {
  readonly #load: LoadContestant;
  readonly #traces = new Map<string, Promise<PagingTrace>>();
  readonly #sessions = new Map<string, Promise<readonly PagingTrace[]>>();
  readonly #contestants = new Map<string, Promise<Contestant | undefined>>();

  constructor(load: LoadContestant) {
    this.#load = load;
  }

  /** Errors: those of `loadTrace`, of the policy's module, of `runCell` and of `lowerBounds`. */
  async perform(task: Task): Promise<Done> {
    if (task.kind === 'run') return { kind: 'run', row: await this.#run(task) };
    return { kind: 'bound', each: boundsOf(await this.trace(task.trace), task) };
  }

  async #run({ trace: file, session, policy, cwd, options }: RunTask): Promise<GridRow> {
    const trace = session === undefined ? await this.trace(file) : (await this.sessions(file))[session];
    if (trace === undefined) throw new RangeError(`${file} has no session ${session}`);
    if (isForesight(policy)) return runCell(trace, FORESIGHT[policy](trace), options);
    const contestant = await kept(this.#contestants, `${cwd}\n${policy}`, () => this.#load(policy, cwd));
    if (contestant === undefined) throw new RangeError(`"${policy}" names no policy`);
    return runCell(trace, contestant, options);
  }

  trace(file: string): Promise<PagingTrace> {
    return kept(this.#traces, file, () => loadTrace(file));
  }

  sessions(file: string): Promise<readonly PagingTrace[]> {
    return kept(this.#sessions, file, async () => sessionsOf(await this.trace(file)));
  }
}

function boundsOf(trace: PagingTrace, { ask, ratios, setup }: BoundTask): readonly LowerBounds[] {
  if (ask === 'contexts') return contextBounds(trace, setup, ratios);
  if (ask === 'fault cost') return [{ faults: 0, cost: leastFaultCost(trace, setup, ratios) }];
  const { faults, cost } = boundSoFar(trace, setup, ratios, ask.step);
  return [{ faults, cost }];
}

function kept<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const found = map.get(key) ?? make();
  map.set(key, found);
  return found;
}

/** In a thread: what ships needs no container to be loaded. */
export const loadInThread: LoadContestant = async (policy, cwd) => {
  const loadPolicy = async (name: string, folder: string): Promise<ClosablePolicy> =>
    Object.entries(POLICIES).find(([known]) => known === name)?.[1] ??
    (await import('@pagefault/wiring')).loadPolicy(name, folder);
  const [loaded] = await loadContestants({ io: { cwd }, loadPolicy }, [policy]);
  return loaded;
};
