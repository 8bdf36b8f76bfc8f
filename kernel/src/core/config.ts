import type { Pid, Tokens, ToolDefinition } from '@pagefault/contracts';
import type { Limits } from '../limits.js';
import { fingerprint } from './text.js';

/** What stays the same while a process is attached. Part of every recording's header. */
export interface MachineConfig {
  readonly pid: Pid;
  readonly limits: Limits;
  /** The program: system instructions, without blocks. */
  readonly instructions: string;
  /** As sent: with what the dialect adds. */
  readonly tools: readonly ToolDefinition[];
  readonly processor: ProcessorView;
  readonly layout: string;
  readonly dialect: string;
  readonly policy: string;
  /** IANA name of the user's time zone. Default `UTC`: recordings of before have none. */
  readonly zone?: string;
  /** True when there is a vector index to keep: then new text goes to the outbox. */
  readonly vectors: boolean;
}

/** What the core needs to know of the processor. */
export interface ProcessorView {
  /** Its name in the stack. Recordings of before have none. */
  readonly name?: string;
  readonly driver: string;
  readonly model: string;
  readonly window: Tokens;
  readonly maxOutput: Tokens;
}

/** Changes whenever the counts kept with the parts are no longer true. */
export function countingKey(config: MachineConfig): string {
  const program = fingerprint(JSON.stringify([config.instructions, config.tools, config.layout]));
  return `${config.processor.driver}/${config.processor.model}#${program}`;
}

/** Whether two counting keys are of one processor: then what is known of its counts stays true. */
export function sameProcessor(key: string, other: string): boolean {
  return key.slice(0, key.lastIndexOf('#')) === other.slice(0, other.lastIndexOf('#'));
}
