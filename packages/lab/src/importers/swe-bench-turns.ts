/** What happened in a run, however it is written down: as messages of a chat with tools, or as events of OpenHands. */
import { z } from 'zod';
import { textOfContent } from './content.js';
import { isRecord } from './source.js';

export type Turn =
  | { readonly type: 'told'; readonly kind: 'system' | 'user'; readonly text: string }
  /** `does`: what it asks tools for, all of it where that is not told apart. */
  | { readonly type: 'reply'; readonly text: string; readonly does: string; readonly isCall: boolean }
  | { readonly type: 'result'; readonly text: string; readonly failed: boolean };

const message = z.looseObject({
  role: z.string(),
  content: z.unknown().optional(),
  text: z.string().nullish(),
  system_prompt: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string().nullish(), arguments: z.unknown() }) }))
    .nullish(),
});
const event = z.looseObject({
  /** What has a role is a message. */
  role: z.undefined().optional(),
  source: z.string().nullish(),
  action: z.string().nullish(),
  observation: z.string().nullish(),
  message: z.string().nullish(),
  content: z.string().nullish(),
  args: z.record(z.string(), z.unknown()).nullish(),
  extras: z.record(z.string(), z.unknown()).nullish(),
});
const either = z.union([message, event]);
/** In older runs an action stands in a pair with what came of it. */
const turns = z.array(z.union([either, z.array(either)])).transform((all) => all.flat());

export const run = z.looseObject({
  instance_id: z.string().nullish(),
  messages: turns.nullish(),
  trajectory: turns.nullish().catch(undefined),
  history: turns.nullish(),
});
export type Run = z.output<typeof run>;
type Message = z.output<typeof message>;
type Event = z.output<typeof event>;

/** Undefined where the object has none of the lists. */
export function turnsOf({ messages, history, trajectory }: Run): Turn[] | undefined {
  const all = messages ?? history ?? trajectory;
  if (!all) return undefined;
  const found: Turn[] = [];
  for (const one of all) {
    const hasActed = found.some(({ type }) => type === 'reply');
    const turn = typeof one['role'] === 'string' ? turnOf(one as Message, hasActed) : happened(one as Event);
    if (turn) found.push(turn);
  }
  return found;
}

const MODEL: ReadonlySet<string> = new Set(['assistant', 'ai']);
/** What mini-SWE-agent writes at the end, which no call sees. */
const END = 'exit';

function turnOf(
  { role, content, text: said, system_prompt: prompt, tool_calls: calls }: Message,
  hasActed: boolean,
): Turn | undefined {
  const text = textOfContent(content) || said || prompt || '';
  if (MODEL.has(role)) {
    const called = (calls ?? []).map(
      ({ function: { name, arguments: given } }) => `${name ?? ''} ${textIn(given)}`,
    );
    const does = called.join('\n') || commandIn(text);
    return { type: 'reply', text: [text, ...called].join('\n').trim(), does, isCall: does !== '' };
  }
  if (role === END) return undefined;
  if (role === 'system') return { type: 'told', kind: 'system', text };
  // Without tools of their own, agents are told what came of a command in the user's place.
  const isResult = role !== 'user' || hasActed;
  return isResult ? { type: 'result', text, failed: hasFailed(text) } : { type: 'told', kind: 'user', text };
}

const textIn = (given: unknown) => (typeof given === 'string' ? given : JSON.stringify(given ?? {}));

/** Agents without tools put a command in a fence. */
function commandIn(text: string): string {
  return [...text.matchAll(/```[\w-]*\n([^]*?)```/g)].map(([, command = '']) => command).join('\n');
}

function hasFailed(text: string): boolean {
  const code = /<returncode>(-?\d+)<\/returncode>/.exec(text.slice(0, 200))?.[1];
  return code !== undefined && Number(code) !== 0;
}

/** Of no consequence for the prompt. */
const UNSEEN: ReadonlySet<string> = new Set(['agent_state_changed', 'null', 'change_agent_state']);

function happened({
  source,
  action,
  observation,
  content,
  message: said,
  args,
  extras,
}: Event): Turn | undefined {
  if (UNSEEN.has(action ?? observation ?? 'null')) return undefined;
  if (typeof observation === 'string') {
    const code = isRecord(extras?.['metadata']) ? extras['metadata']['exit_code'] : extras?.['exit_code'];
    const failed = observation === 'error' || (typeof code === 'number' && code !== 0);
    return { type: 'result', text: content ?? said ?? '', failed };
  }
  const told = args?.['content'];
  const text = typeof told === 'string' ? told : (content ?? said ?? '');
  if (action === 'system') return { type: 'told', kind: 'system', text };
  if (source === 'user') return action === 'message' ? { type: 'told', kind: 'user', text } : undefined;
  const isCall = action !== 'message' && action !== 'finish' && action !== 'think';
  const does = isCall ? JSON.stringify(args ?? {}) : '';
  return { type: 'reply', text: isCall ? does : text, does, isCall };
}
