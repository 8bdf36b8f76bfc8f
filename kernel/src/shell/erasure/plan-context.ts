import type { RecallDriver } from '@pagefault/contracts';
import type { ProcessState } from '../../core/state.js';
import type { ProcessRecord } from '../storage.js';

/** What a plan is made from. The state is at a turn's end. */
export interface PlanContext {
  readonly recall: RecallDriver;
  readonly record: ProcessRecord;
  readonly state: ProcessState;
}
