/** Runs the model's function calls. Whatever happens, a call comes to a result that the model can read. */
import type { Json, ToolDefinition } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { HEARTBEAT_ARGUMENT } from '../../core/dialect/memgpt.js';
import type { CallOutcome } from '../../core/events.js';
import { normaliseText } from '../../core/text.js';
import type { CallContext, Syscall } from '../../syscall/syscall.js';
import type { Tool, ToolContext } from '../../tool.js';
import { stopWith } from '../stopping.js';

export interface Call {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}

export class Executor {
  readonly #syscalls: ReadonlyMap<string, Syscall>;
  readonly #tools: ReadonlyMap<string, Tool>;

  /** Errors: `E_CONFIG` when a tool has an illegal name or one that is taken. */
  constructor(syscalls: readonly Syscall[], tools: readonly Tool[]) {
    this.#syscalls = new Map(syscalls.map((syscall) => [syscall.name, syscall]));
    for (const tool of tools) checkName(tool.name, this.#syscalls.has(tool.name));
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    if (this.#tools.size < tools.length) throw new PagefaultError('E_CONFIG', 'two tools have the same name');
  }

  /** What the model is offered, before the dialect adds its own. */
  definitions(): ToolDefinition[] {
    return [...this.#syscalls.values(), ...this.#tools.values()].map(({ name, help, parameters }) => ({
      name,
      description: help,
      parameters: schemaOf(parameters),
    }));
  }

  /** Calls that must not run a second time. */
  isOnce(name: string): boolean {
    return this.#tools.get(name)?.effect === 'once';
  }

  async run(
    call: Call,
    context: CallContext,
    toolContext: Omit<ToolContext, 'callId'>,
  ): Promise<CallOutcome> {
    const { limits } = context;
    const { signal, leave } = stopWith([context.signal], limits.callTimeoutMs);
    try {
      const work = this.#dispatch(call, { ...context, signal }, { ...toolContext, signal });
      return await withAbort(work, signal, call.name, limits.callTimeoutMs);
    } catch (error) {
      return { text: explain(error), isError: true };
    } finally {
      leave();
    }
  }

  async #dispatch(
    call: Call,
    context: CallContext,
    toolContext: Omit<ToolContext, 'callId'>,
  ): Promise<CallOutcome> {
    const syscall = this.#syscalls.get(call.name);
    if (syscall) return syscall.run(parseArguments(call, syscall.parameters), context);
    const tool = this.#tools.get(call.name);
    if (!tool) throw unknownName(call.name, [...this.#syscalls.keys(), ...this.#tools.keys()]);
    const result = await tool.run(parseArguments(call, tool.parameters), {
      ...toolContext,
      callId: call.callId,
    });
    return { text: render(result) };
  }
}

function checkName(name: string, taken: boolean): void {
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) {
    throw new PagefaultError('E_CONFIG', `tool name "${name}" is not [a-zA-Z0-9_-]{1,64}`);
  }
  if (taken)
    throw new PagefaultError('E_CONFIG', `tool name "${name}" is a syscall's`, {
      hint: 'choose another name',
    });
}

/** A bigint is an integer to the model; JSON Schema knows no other word for it. */
function schemaOf(parameters: z.ZodObject): ToolDefinition['parameters'] {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if (zodSchema._zod.def.type === 'bigint') jsonSchema.type = 'integer';
    },
  }) as { [key: string]: Json };
  return schema;
}

/** Integers beyond 2^53 arrive as bigint, so that no id loses digits (A28). */
function parseArguments(call: Call, parameters: z.ZodObject): Record<string, unknown> {
  const value = withoutHeartbeat(parseJson(call), parameters);
  const checked = parameters.safeParse(value);
  if (checked.success) return checked.data;
  const problems = checked.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`,
  );
  throw new PagefaultError('E_INVALID', `The arguments of ${call.name} are wrong: ${problems.join('; ')}.`);
}

/** What the dialect asked for beside the tool's own parameters is not the tool's: a strict schema would refuse it. */
function withoutHeartbeat(value: unknown, parameters: z.ZodObject): unknown {
  if (typeof value !== 'object' || value === null || HEARTBEAT_ARGUMENT in parameters.shape) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== HEARTBEAT_ARGUMENT));
}

function parseJson(call: Call): unknown {
  if (call.arguments.trim() === '') return {};
  try {
    return parse(call.arguments, null, exactNumber);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new PagefaultError('E_INVALID', `The arguments of ${call.name} are not JSON: ${reason}`, {
      cause: error,
    });
  }
}

function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

function unknownName(name: string, known: readonly string[]): PagefaultError {
  return new PagefaultError('E_NOT_FOUND', `There is no function "${name}". Functions: ${known.join(', ')}.`);
}

function render(result: unknown): string {
  if (typeof result === 'string') return normaliseText(result);
  const exact = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);
  // Functions and undefined have no JSON: then there is nothing to say.
  return normaliseText((JSON.stringify(result, exact) as string | undefined) ?? '');
}

/** For the model: what went wrong, without a stack. */
function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = PagefaultError.is(error) && error.hint !== undefined ? ` ${error.hint}.` : '';
  return normaliseText(`Error: ${message}${hint}`);
}

/** A tool that ignores its signal is left behind: its late result goes nowhere. */
async function withAbort<T>(work: Promise<T>, signal: AbortSignal, name: string, limit: number): Promise<T> {
  let stop = (): void => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(new PagefaultError('E_TIMEOUT', `${name} was stopped (limit ${limit} ms)`));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
  try {
    return await Promise.race([work, stopped]);
  } finally {
    signal.removeEventListener('abort', stop);
    work.catch(() => undefined); // Already told as stopped.
  }
}
