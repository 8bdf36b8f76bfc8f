/** What the commands need of `@pagefault/wiring`. It is loaded when a command runs, so that `--help` is quick. */
import type { Tokens } from '@pagefault/contracts';
import type { Counters, Kernel, KernelOptions, MemoryMap } from '@pagefault/kernel';

export interface Wiring {
  start(options: StartOptions): Promise<Machine>;
  inspect(options: StartOptions): Promise<Inspector>;
}

export interface StartOptions {
  readonly cwd?: string;
  readonly configFile?: string;
  readonly env?: Record<string, string | undefined>;
  readonly overrides?: Overrides;
  readonly onRequest?: NonNullable<KernelOptions['onRequest']>;
}

/** What the command line says about the configuration. */
export interface Overrides {
  readonly data?: string;
  readonly window?: Tokens;
  readonly processor?: string;
  readonly record?: string;
}

export interface Machine {
  readonly kernel: Kernel;
  readonly config: { readonly data?: string };
  /** For people: which processor runs, and where the memory is. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

/** Looks at a store that another program may be running. */
export interface Inspector {
  ps(): Promise<readonly ProcessRow[]>;
  pmap(nameOrPid: string): Promise<MemoryMap>;
  vmstat(): Promise<MachineStats>;
  close(): Promise<void>;
}

export interface ProcessRow {
  readonly pid: string;
  readonly name: string;
  readonly createdAt: number;
  readonly messages: number;
  readonly passages: number;
  /** Tokens of the next request, and what it may have. */
  readonly pressure: Tokens;
  readonly budget: Tokens;
  readonly running: boolean;
}

export interface MachineStats {
  readonly processes: number;
  readonly messages: number;
  readonly passages: number;
  /** Summed over the processes. */
  readonly counters: Counters;
}
