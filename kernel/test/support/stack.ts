/** Boots a kernel on doubles. Ids and time are counted, so that runs are alike. */
import type { CountablePiece, LogEntry, RecallDriver, Tokens } from '@pagefault/contracts';
import { LATEST } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import {
  createScriptedProcessor,
  type ReplyFunction,
  type ScriptedReply,
  type ScriptedOptions,
} from '@pagefault/driver-processor-scripted';
import { afterEach } from 'vitest';
import { boot, type KernelOptions } from '../../src/boot.js';
import type { Kernel } from '../../src/shell/kernel.js';
import type { Process } from '../../src/shell/process.js';
import { extractive } from '../../src/summariser/extractive.js';

export interface StackOptions extends Partial<KernelOptions> {
  readonly replies?: ScriptedOptions['replies'];
  readonly script?: Partial<ScriptedOptions>;
  /** Counts instead of the scripted processor's own tokenizer, so that sizes are exact. */
  readonly countPiece?: (piece: CountablePiece) => Tokens;
}

export interface Stack {
  readonly kernel: Kernel;
  readonly process: Process;
  readonly recall: RecallDriver;
  readonly processor: ReturnType<typeof createScriptedProcessor>;
  /** The whole log. */
  log(): Promise<readonly LogEntry[]>;
  /** Texts of the log, in order. */
  texts(): Promise<readonly string[]>;
}

/** The paper's seven functions and `page_in`: for windows that are too small for all. */
export const FEW_SYSCALLS = [
  'send_message',
  'core_memory_append',
  'core_memory_replace',
  'conversation_search',
  'conversation_search_date',
  'archival_memory_insert',
  'archival_memory_search',
  'page_in',
] as const;

let kernels = 0;

export async function startKernel(
  options: StackOptions = {},
): Promise<Omit<Stack, 'process' | 'log' | 'texts'>> {
  const { replies = answers, script, countPiece, ...rest } = options;
  const recall = options.recall ?? createMemoryRecall();
  // Call ids are unique in a process, also over kernels that take turns on it.
  const idPrefix = `k${(kernels += 1)}_`;
  const scripted = createScriptedProcessor({ replies, idPrefix, ...script });
  const count = countPiece && (async (pieces: readonly CountablePiece[]) => pieces.map(countPiece));
  const processor = count ? Object.assign(scripted, { count }) : scripted;
  const kernel = await boot({ recall, processor, summariser: extractive, ...rest });
  return { kernel, recall, processor };
}

export async function startProcess(options: StackOptions = {}): Promise<Stack> {
  const started = await startKernel(options);
  return withProcess(started, await started.kernel.spawn());
}

export function withProcess(started: Omit<Stack, 'process' | 'log' | 'texts'>, process: Process): Stack {
  const log = async () => {
    const slice = await started.recall.read([{ pid: process.pid, upTo: LATEST }], { limit: 10_000 });
    return slice.items;
  };
  const texts = async () =>
    (await log()).map(({ message }) =>
      message.parts.map((part) => ('text' in part ? part.text : 'call')).join(' '),
    );
  return { ...started, process, log, texts };
}

/** Says which message it answers. */
export const answers: ReplyFunction = (request) => tell(`answer to: ${lastUser(request).slice(0, 60)}`);

export function tell(message: string): ScriptedReply {
  return { calls: [{ name: 'send_message', arguments: { message } }] };
}

export function ask(name: string, args: object = {}): ScriptedReply {
  return { calls: [{ name, arguments: { ...args, request_heartbeat: true } }] };
}

export function lastUser({ messages }: Parameters<ReplyFunction>[0]): string {
  const message = messages.findLast(({ role }) => role === 'user');
  return message?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
}

/** All that the model is shown but for the tail. */
export function shown({ system, messages }: Parameters<ReplyFunction>[0]): string {
  const texts = messages
    .slice(0, -1)
    .flatMap(({ parts }) => parts.map((part) => ('text' in part ? part.text : 'call')));
  return [system, ...texts].join('\n');
}

/** True when the request ends with results: the model has just called something. */
export function hasResults({ messages }: Parameters<ReplyFunction>[0]): boolean {
  return messages.findLast(({ role }) => role !== 'system')?.role === 'tool';
}

export function lastResult({ messages }: Parameters<ReplyFunction>[0]): string {
  const part = messages.findLast(({ role }) => role === 'tool')?.parts[0];
  return part?.type === 'result' ? part.text : '';
}

/** A promise and the way to settle it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** `startProcess` for the tests of a file: each test's kernels are closed after it. */
export function startProcesses(): typeof startProcess {
  const open: Kernel[] = [];
  afterEach(async () => {
    for (const kernel of open.splice(0)) await kernel.close();
  });
  return async (options) => {
    const stack = await startProcess(options);
    open.push(stack.kernel);
    return stack;
  };
}
