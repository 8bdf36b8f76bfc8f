import type { StartOptions } from '@pagefault/wiring';

export interface EvalOptions {
  /** Folder of the data sets. */
  readonly data?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Tokens; the default is the one that the evaluation names. */
  readonly window?: number;
  /** The stack: configuration file, overrides. The default is the embedded store in a temporary folder. */
  readonly start?: StartOptions;
  /** Stops after so many questions. */
  readonly limit?: number;
  readonly onProgress?: (progress: EvalProgress) => void;
  readonly signal?: AbortSignal;
}

export interface EvalProgress {
  readonly stage: string;
  readonly done: number;
  readonly total: number;
}

/** Figures of one evaluation: for people as a table, for programs as they are. */
export interface EvalReport {
  readonly name: string;
  /** What was measured and under which settings, in one line. */
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  readonly figures: Readonly<Record<string, number>>;
}

export interface Evaluation {
  readonly name: string;
  readonly help: string;
  run(options: EvalOptions): Promise<EvalReport>;
}
