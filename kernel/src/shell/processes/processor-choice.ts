import type { ProcessorDriver } from '@pagefault/contracts';
import type { MachineConfig } from '../../core/config.js';
import type { Summariser } from '../../summariser/summariser.js';

/** Undefined: the stack's own, whichever that is. */
export interface ProcessorChoice {
  readonly processor: string | undefined;
}

/** What drives a process, as it was chosen. */
export interface Driven {
  readonly config: MachineConfig;
  readonly processor: ProcessorDriver;
  readonly summariser: Summariser;
}
