/** `npm run real-model`: options in, the conversation out, and an exit code. */
import { parseArgs } from 'node:util';
import { describeSummary, describeTurn, summarise } from './report.js';
import { holdConversation, type TalkOptions } from './talk.js';

/** What answers a question and remembers: the paper's functions without archival storage and dates. */
const FEW = ['send_message', 'core_memory_append', 'core_memory_replace', 'conversation_search'] as const;

export const HELP = `usage: npm run real-model -- --base-url URL --model NAME [options]

Holds a conversation of ten turns, in a small window, with a model on any OpenAI-compatible server.

  --base-url URL      the server, for example http://127.0.0.1:8080
  --model NAME        the model's id at the server
  --api-key KEY       if the server wants one
  --dialect NAME      memgpt (default) or native
  --layout NAME       user-last (default), stable or classic
  --syscalls WHICH    few (default: ${FEW.join(', ')}), all, or names with commas
  --window TOKENS     default 2048, which makes pages leave; all functions need 4096
  --max-output TOKENS default 160
  --summariser NAME   extractive (default, no model) or recursive (the model itself)
  --temperature T     default 0`;

/** Resolves to the exit code: 0; 1 when the server cannot be reached or a turn failed; 2 for wrong options. */
export async function realModel(
  args: readonly string[],
  print: (line: string) => void = console.log,
): Promise<number> {
  const read = readArguments(args);
  if (typeof read === 'string') return fail(print, read, 2);
  const problem = await unreachable(read.baseURL);
  if (problem !== undefined) return fail(print, problem, 1);
  print(titleOf(read));
  const reports = await holdConversation({ ...read, onTurn: (report) => print(describeTurn(report)) });
  const summary = summarise(reports);
  print(`\n${titleOf(read)}\n${describeSummary(summary)}`);
  return summary.failed === 0 ? 0 : 1;
}

function fail(print: (line: string) => void, problem: string, code: number): number {
  print(problem);
  return code;
}

function readArguments(args: readonly string[]): TalkOptions | string {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        'base-url': text,
        model: text,
        'api-key': text,
        dialect: { ...text, default: 'memgpt' },
        layout: { ...text, default: 'user-last' },
        syscalls: { ...text, default: 'few' },
        window: { ...text, default: '2048' },
        'max-output': { ...text, default: '160' },
        summariser: { ...text, default: 'extractive' },
        temperature: { ...text, default: '0' },
      },
    });
    const { 'base-url': baseURL, 'api-key': apiKey, model, dialect, layout, summariser } = values;
    if (baseURL === undefined || model === undefined) return HELP;
    return {
      baseURL,
      model,
      dialect,
      layout,
      summariser,
      window: Number(values.window),
      maxOutput: Number(values['max-output']),
      temperature: Number(values.temperature),
      ...(apiKey !== undefined && { apiKey }),
      ...syscallsOf(values.syscalls),
    };
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}\n\n${HELP}`;
  }
}

function syscallsOf(which: string): { syscalls?: readonly string[] } {
  if (which === 'all') return {};
  return { syscalls: which === 'few' ? FEW : which.split(',').map((name) => name.trim()) };
}

/**
 * Any answer will do: what a server thinks of a path without a model is its own business. A minute, since small servers do
 * one thing at a time.
 */
async function unreachable(baseURL: string): Promise<string | undefined> {
  try {
    const { body } = await fetch(baseURL, { signal: AbortSignal.timeout(60_000) });
    await body?.cancel();
    return undefined;
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return `No server answers at ${baseURL} (${cause}).\nStart one first; docs/real-models.md says how.`;
  }
}

function titleOf({ model, dialect, layout, syscalls, window, summariser }: TalkOptions): string {
  const functions = syscalls ? `${syscalls.length} functions` : 'all functions';
  return `${model}, ${dialect}, ${layout}, ${functions}, window of ${window} tokens, ${summariser} summary`;
}
