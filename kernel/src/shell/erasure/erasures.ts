import type { Pid } from '@pagefault/contracts';
import type { Environment } from '../environment.js';
import type { ProcessTable } from '../processes/process-table.js';
import type { ProcessRecord } from '../storage.js';
import { eraseFrom } from './erase.js';
import type { ErasureReport } from './report.js';
import { resumeErasures } from './resume.js';
import { eraseSpeaker } from './speaker.js';
import type { ErasureTarget } from './target.js';
import { type EraseOptions, eraseProcess } from './whole.js';

/** What one kernel erases. */
export class Erasures {
  readonly #environment: Environment;
  readonly #table: ProcessTable;
  #resuming: Promise<unknown> = Promise.resolve();

  constructor(environment: Environment, table: ProcessTable) {
    [this.#environment, this.#table] = [environment, table];
  }

  from(record: ProcessRecord, target: ErasureTarget): Promise<ErasureReport> {
    return eraseFrom(this.#environment, this.#table, record, target);
  }

  whole(pid: Pid, options: EraseOptions): Promise<ErasureReport> {
    return eraseProcess(this.#environment, this.#table, pid, options);
  }

  ofSpeaker(name: string): Promise<readonly ErasureReport[]> {
    return eraseSpeaker(this.#environment, this.#table, name);
  }

  resume(): Promise<readonly ErasureReport[]> {
    const resumed = this.#resume();
    this.#resuming = Promise.allSettled([this.#resuming, resumed]);
    return resumed;
  }

  /** Resolves when nothing is gone on with any more. */
  async close(): Promise<void> {
    await Promise.all([this.#resuming, this.#environment.secondLooks.stop()]);
  }

  async #resume(): Promise<readonly ErasureReport[]> {
    const reports = await resumeErasures(this.#environment, this.#table);
    await this.#environment.secondLooks.start();
    return reports;
  }
}
