import type { z } from 'zod';

/**
 * A function of yours that the model may call.
 *
 * `effect` says what a crash in the middle means: `pure` and `idempotent` calls simply run again; the outcome of a
 * `once` call is told to the model as unknown, and it is never run again by the kernel.
 */
export interface Tool {
  /** `[a-zA-Z0-9_-]{1,64}`, and no name of a syscall. */
  readonly name: string;
  /** What the model reads about it. */
  readonly help: string;
  readonly parameters: z.ZodObject;
  readonly effect: 'pure' | 'idempotent' | 'once';
  /** A string, or anything that JSON can hold. What it throws is told to the model. */
  run(args: Readonly<Record<string, unknown>>, context: ToolContext): Promise<unknown>;
}

export interface ToolContext {
  /** The same in each run of the same call: for the other side to recognise a repeat. */
  readonly callId: string;
  /** Rises whenever another kernel takes the process over: lets the other side refuse a zombie. */
  readonly fence: number;
  /** Fires when the turn is stopped or the call's time is up. */
  readonly signal: AbortSignal;
}

/** Ties the argument type to the schema. */
export function defineTool<Schema extends z.ZodObject>(
  tool: Omit<Tool, 'parameters' | 'run'> & {
    readonly parameters: Schema;
    run(args: z.output<Schema>, context: ToolContext): Promise<unknown>;
  },
): Tool {
  return { ...tool, run: (args, context) => tool.run(args as z.output<Schema>, context) };
}
