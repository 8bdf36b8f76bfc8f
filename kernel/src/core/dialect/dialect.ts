import type { CallPart, ToolDefinition } from '@pagefault/contracts';

/** A function protocol: how the model speaks, calls functions and asks to be run again. */
export interface Dialect {
  readonly id: string;
  /** What is offered of all functions, with what the protocol adds to their parameters. */
  tools(definitions: readonly ToolDefinition[]): readonly ToolDefinition[];
  /** Whether the call asks for another cycle. */
  wantsCycle(call: CallPart): boolean;
  /**
   * Whether text beside calls is said to the user; otherwise it is the model's own. Text without a call always is: weak
   * models forget how to speak.
   */
  readonly speaksBesideCalls: boolean;
}

/** The function by which a model speaks in `memgpt`. */
export const SPEECH = 'send_message';
