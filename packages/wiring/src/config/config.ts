import type { Tokens } from '@pagefault/contracts';
import type { z } from 'zod';

/** The configuration that a machine is wired from: every choice made, every path absolute. */
export interface Config<Limits = unknown> {
  /** The file that was read; absent when there was none. */
  readonly file?: string;
  readonly recall: DriverChoice;
  readonly archival: DriverChoice;
  readonly embedder: DriverChoice;
  /** What runs the processes; of an order the first. */
  readonly processor: DriverChoice;
  /** Only where there are several, or one has a name. */
  readonly routing?: Routing;
  readonly summariser: string;
  /** A name, the absolute path of a module of the user's, or `exec:` and the command of a program. */
  readonly policy: string;
  /** Where the program of a policy runs: the folder of the file that names it. */
  readonly policyFolder?: string;
  readonly layout: string;
  readonly dialect: string;
  /** All when left out. */
  readonly syscalls?: readonly string[];
  /** IANA name; of new processes. */
  readonly zone: string;
  /** Tokens; caps the processor's own window. */
  readonly window: Tokens;
  readonly limits: Limits;
  readonly program: ProgramConfig;
  /** Folder for recordings; absent when nothing is recorded. */
  readonly record?: string;
  /** One line for each default that depends on the surroundings: which was taken, and why. */
  readonly notes: readonly string[];
}

export interface Routing {
  /** All by name; the one of `processor` too. */
  readonly processors: Readonly<Record<string, DriverChoice>>;
  /** The first runs the processes; the others in turn when it cannot. */
  readonly order: readonly string[];
  /** The one that stands at `processor`, if one does. */
  readonly unnamed?: string;
  /** The name of the one that writes summaries. Default: the one that the process runs on. */
  readonly summaries?: string;
}

/** A driver by name, with options that the driver checks and completes itself. `none` is a name too. */
export interface DriverChoice {
  readonly driver: string;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The program of new processes, as far as the file gives it; the kernel has defaults for the rest. */
export interface ProgramConfig {
  readonly instructions?: string;
  readonly blocks?: readonly BlockConfig[];
}

export interface BlockConfig {
  readonly name: string;
  readonly value: string;
  /** Code points. */
  readonly limit?: number;
  readonly readOnly?: boolean;
}

/** What may be named, by kind. A name with a schema has its options checked when the file is read. */
export interface Registry {
  readonly recall: Known;
  readonly archival: Known;
  readonly embedder: Known;
  readonly processor: Known;
  readonly summariser: Known;
  readonly policy: Known;
  readonly layout: Known;
  readonly dialect: Known;
}

export type Known = Readonly<Record<string, z.ZodType | null>>;

/** Kinds that are chosen with options, and kinds that are chosen by name only. */
export type DriverKind = 'recall' | 'archival' | 'embedder' | 'processor';
export type NamedKind = Exclude<keyof Registry, DriverKind>;

export type Environment = Readonly<Record<string, string | undefined>>;
