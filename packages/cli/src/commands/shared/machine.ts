/** What the commands need of `@pagefault/wiring`. It is loaded when a command runs, so that `--help` is quick. */
import type { MigratedOwner, ProcessIndex } from '@pagefault/kernel';
import type {
  Config,
  DiagnoseOptions,
  Finding,
  InspectOptions,
  Inspector,
  MigrateOptions,
  RunningMachine,
  StartOptions,
} from '@pagefault/wiring';
import type { ClosablePolicy } from './policies.js';

export interface Wiring {
  start(options: StartOptions): Promise<Machine>;
  inspect(options: InspectOptions): Promise<Inspector>;
  diagnose(options: DiagnoseOptions): AsyncIterable<Finding>;
  migrateStores(options: MigrateOptions): AsyncIterable<MigratedOwner>;
  planRebuild(options: StartOptions, signal?: AbortSignal): AsyncIterable<ProcessIndex>;
  loadPolicy(nameOrPath: string, folder: string): Promise<ClosablePolicy>;
}

export interface Machine extends Pick<RunningMachine, 'kernel' | 'notes' | 'rebuilding' | 'close'> {
  readonly config: Pick<Config, 'recall' | 'processor' | 'window'>;
}

/** The folder of the embedded store; undefined for other stores. */
export function dataDirOf({ recall }: Machine['config']): string | undefined {
  const { dataDir } = recall.options;
  return typeof dataDir === 'string' && !dataDir.includes('://') ? dataDir : undefined;
}
