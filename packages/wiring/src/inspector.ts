/**
 * What other programs may ask of a running kernel: a look at its processes, and what is done to them from outside. All
 * that goes in and comes out is JSON.
 */
import { PagefaultError } from '@pagefault/contracts';
import {
  type Bills,
  type Counters,
  type EraseOptions,
  type ErasureReport,
  type ErasureTarget,
  type InterruptKind,
  type Kernel,
  type MemoryMap,
  type NewTimer,
  mergeBills,
  NO_COUNTERS,
  type Process,
  type ProcessControl,
  type ProcessInfo,
  type SpawnOptions,
  type Timer,
} from '@pagefault/kernel';

/** Errors of all that name a process: `E_NOT_FOUND`, which lists the known ones. */
export interface Inspector {
  ps(): Promise<readonly ProcessRow[]>;
  pmap(nameOrPid: string): Promise<MemoryMap>;
  vmstat(): Promise<MachineStats>;
  /** The next to fall due first. */
  timers(nameOrPid: string): Promise<readonly Timer[]>;
  /** Errors: `E_INVALID`. */
  setTimer(nameOrPid: string, timer: NewTimer): Promise<Timer>;
  /** Errors: `E_NOT_FOUND`, also for a timer. */
  cancelTimer(nameOrPid: string, id: string): Promise<void>;
  /** Errors: `E_CONFLICT` for a name that is taken; those of `Kernel.spawn`. */
  spawn(options: NamedSpawn): Promise<ProcessId>;
  /** Errors: `E_CONFLICT` for a name that is taken; those of `Process.fork`. */
  fork(nameOrPid: string, name: string): Promise<ProcessId>;
  /** Errors: `E_CONFLICT` for a name that is taken. */
  rename(nameOrPid: string, name: string): Promise<ProcessId>;
  /** Without a name on the stack's own. Errors: `E_NOT_FOUND`, which lists the processors. */
  useProcessor(nameOrPid: string, processor?: string): Promise<ProcessId & { readonly processor: string }>;
  /** Resolves to what then holds. Errors: those of the method of `Process`. */
  control(nameOrPid: string, change: ControlChange): Promise<ProcessControl & ProcessId>;
  /** Messages by id or by handle. Errors: those of `Process.erase`. */
  erase(nameOrPid: string, target: ErasureTarget): Promise<ErasureReport>;
  /** Errors: those of `Kernel.erase`. */
  eraseProcess(nameOrPid: string, options: EraseOptions): Promise<ErasureReport>;
  eraseSpeaker(name: string): Promise<readonly ErasureReport[]>;
  close(): Promise<void>;
}

/** People find processes by name, so that each has its own. */
export type NamedSpawn = SpawnOptions & { readonly name: string };

export interface ProcessId {
  readonly pid: string;
  readonly name: string;
}

export type ControlChange =
  | { readonly do: 'pause' | 'resume' | 'kill' }
  | { readonly do: 'mask' | 'unmask'; readonly kinds: readonly InterruptKind[] };

export interface ProcessRow extends ProcessId {
  readonly createdAt: number;
  readonly messages: number;
  readonly passages: number;
  /** The name of the one that it runs on. */
  readonly processor: string;
  /** Tokens of the next request, and the most that it may hold. */
  readonly pressure: number;
  readonly budget: number;
  /** True while a kernel has it attached. */
  readonly running: boolean;
  /** In millionths of a dollar, by the prices that are known. */
  readonly spend: number;
  /** What it used and cost, by processor and embedder. */
  readonly bills: Bills;
  readonly paused: boolean;
  readonly masked: readonly InterruptKind[];
  readonly killedAt?: number;
  /** Of a fork. The name is missing when that process is no more. */
  readonly parent?: { readonly pid: string; readonly name?: string };
}

export interface MachineStats {
  readonly processes: number;
  readonly messages: number;
  readonly passages: number;
  /** Sums over all processes. */
  readonly counters: Counters;
  readonly spend: number;
  readonly bills: Bills;
}

/** Answers from a kernel in this operating-system process. */
export function inspectorOf(kernel: Kernel, close: () => Promise<void>): Inspector {
  const find = (nameOrPid: string) => findProcess(kernel, nameOrPid);
  const make = async (name: string, work: () => Promise<Process>): Promise<ProcessId> => {
    await refuseTaken(kernel, name);
    return idOf(await work());
  };
  return {
    ps: () => rowsOf(kernel),
    pmap: async (name) => kernel.inspect((await find(name)).pid),
    vmstat: async () => statsOf((await allMaps(kernel)).map(({ map }) => map)),
    timers: async (name) => (await find(name)).timers.list(),
    setTimer: async (name, timer) => (await find(name)).timers.set(timer),
    cancelTimer: async (name, id) => (await find(name)).timers.cancel(id),
    spawn: (options) => make(options.name, () => kernel.spawn(options)),
    fork: async (name, child) => {
      const parent = await find(name);
      return make(child, () => parent.fork({ name: child }));
    },
    rename: async (name, to) => {
      const process = await find(name);
      return make(to, async () => (await process.rename(to), kernel.open(process.pid)));
    },
    useProcessor: async (name, processor) => {
      const process = await find(name);
      await process.useProcessor(processor);
      return { ...idOf(process), processor: (await process.map()).processor.name };
    },
    control: async (name, change) => control(kernel, await find(name), change),
    erase: async (name, target) => {
      const process = await find(name);
      return process.erase(await byMessageId(process, target));
    },
    eraseProcess: async (name, options) => kernel.erase((await find(name)).pid, options),
    eraseSpeaker: (name) => kernel.eraseSpeaker(name),
    close,
  };
}

/** Of a store that was never made: looking at it must not make it. */
export const nothingToInspect: Inspector = {
  ps: async () => [],
  pmap: (name) => noSuchProcess(name),
  vmstat: async () => statsOf([]),
  timers: (name) => noSuchProcess(name),
  setTimer: (name) => noSuchProcess(name),
  cancelTimer: (name) => noSuchProcess(name),
  spawn: ({ name }) => noSuchProcess(name),
  fork: (name) => noSuchProcess(name),
  rename: (name) => noSuchProcess(name),
  useProcessor: (name) => noSuchProcess(name),
  control: (name) => noSuchProcess(name),
  erase: (name) => noSuchProcess(name),
  eraseProcess: (name) => noSuchProcess(name),
  eraseSpeaker: async () => [],
  close: async () => undefined,
};

async function noSuchProcess(name: string): Promise<never> {
  throw unknownProcess(name, []);
}

async function findProcess(kernel: Kernel, nameOrPid: string): Promise<Process> {
  const process = await kernel.find(nameOrPid);
  if (!process) throw unknownProcess(nameOrPid, await kernel.list());
  return process;
}

async function refuseTaken(kernel: Kernel, name: string): Promise<void> {
  const known = await kernel.find(name);
  if (!known) return;
  throw new PagefaultError('E_CONFLICT', `there is a process "${name}" already (${known.pid})`, {
    hint: 'choose another name',
  });
}

/** Which of its methods is meant, and then what holds it back. */
async function control(
  kernel: Kernel,
  process: Process,
  change: ControlChange,
): Promise<ProcessControl & ProcessId> {
  if (change.do === 'mask' || change.do === 'unmask') await process[change.do](...change.kinds);
  else await process[change.do]();
  const info = (await kernel.list()).find(({ pid }) => pid === process.pid);
  return { ...idOf(process), ...heldOf(info) };
}

function heldOf(info: ProcessInfo | undefined): ProcessControl {
  const { paused = false, masked = [], killedAt } = info ?? {};
  return { paused, masked, ...(killedAt !== undefined && { killedAt }) };
}

function idOf({ pid, name }: ProcessId): ProcessId {
  return { pid, name };
}

/** What people know messages by: handles such as `m12`. */
async function byMessageId(process: Process, target: ErasureTarget): Promise<ErasureTarget> {
  if (!('messages' in target)) return target;
  const messages = await Promise.all(
    target.messages.map(async (given) => {
      const [id = given] = /^m\d+$/.test(given) ? await process.messageIds([given]) : [];
      return id;
    }),
  );
  return { messages };
}

interface Inspected {
  readonly map: MemoryMap;
  readonly info: ProcessInfo;
}

async function allMaps(kernel: Kernel): Promise<readonly Inspected[]> {
  const maps: Inspected[] = [];
  for (const info of await kernel.list()) maps.push({ map: await kernel.inspect(info.pid), info });
  return maps;
}

async function rowsOf(kernel: Kernel): Promise<readonly ProcessRow[]> {
  const maps = await allMaps(kernel);
  const names = new Map(maps.map(({ info }) => [info.pid, info.name]));
  return maps.map(({ map, info }) => {
    const { pid, name, messages, passages, processor, pressure, budget } = map;
    const parent = info.ancestors?.at(-1)?.pid;
    const parentName = names.get(parent ?? '');
    return {
      pid,
      name,
      createdAt: info.createdAt,
      messages,
      passages,
      processor: processor.name,
      pressure,
      budget: budget.tokens,
      running: kernel.isRunning(pid),
      spend: map.spend,
      bills: map.bills,
      ...heldOf(info),
      ...(parent !== undefined && {
        parent: { pid: parent, ...(parentName !== undefined && { name: parentName }) },
      }),
    };
  });
}

function statsOf(maps: readonly MemoryMap[]): MachineStats {
  const sum = (of: (map: MemoryMap) => number) => maps.reduce((total, map) => total + of(map), 0);
  const names = Object.keys(NO_COUNTERS) as (keyof Counters)[];
  const counted = names.map((name) => [name, sum((map) => map.counters[name] ?? 0)]);
  const spend = sum((map) => map.counters.spend ?? 0);
  const counters = { ...Object.fromEntries(counted), ...(spend > 0 && { spend }) };
  return {
    processes: maps.length,
    messages: sum(({ messages }) => messages),
    passages: sum(({ passages }) => passages),
    counters: counters as unknown as Counters,
    spend: sum((map) => map.spend),
    bills: maps.reduce((all, { bills }) => mergeBills(all, bills), {} as Bills),
  };
}

function unknownProcess(name: string, known: readonly { readonly name: string }[]): PagefaultError {
  const names = known.slice(0, 20).map((record) => record.name);
  return new PagefaultError('E_NOT_FOUND', `there is no process "${name}"`, {
    hint:
      names.length > 0
        ? `processes: ${names.join(', ')}`
        : 'no process was made yet; start one with `pagefault chat`',
  });
}
