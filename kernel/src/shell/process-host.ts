import type { Limits } from '../limits.js';
import type { ActiveProcess } from './processes/active-process.js';
import type { ErasureReport } from './erasure/report.js';
import type { ErasureTarget } from './erasure/target.js';
import type { ForkOptions } from './processes/fork.js';
import type { Runner } from './runner.js';
import type { Services } from './services.js';
import type { ProcessRecord } from './storage.js';

/** What a process needs of its kernel. */
export interface ProcessHost {
  readonly services: Services;
  readonly limits: Limits;
  /** Works on the process, which is not passivated meanwhile. */
  workOn<T>(record: ProcessRecord, work: (active: ActiveProcess) => Promise<T>): Promise<T>;
  /** On an overlay of the stored state: nothing it does is kept. */
  attachOverlay(record: ProcessRecord): Promise<Runner>;
  fork(record: ProcessRecord, options: ForkOptions): Promise<ProcessRecord>;
  erase(record: ProcessRecord, target: ErasureTarget): Promise<ErasureReport>;
}
