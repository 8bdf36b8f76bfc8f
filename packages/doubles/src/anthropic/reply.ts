import type { Fault } from '../fault.js';

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'refusal'
  | 'model_context_window_exceeded';

/** What the double answers to one request. All of it optional: `{}` is an empty answer that ends with `end_turn`. */
export interface MessagesReply {
  /** Signed for the model and the conversation. Streamed as given, or a word at a time. */
  readonly thinking?: string | readonly string[];
  /** Thinking that the service does not show. */
  readonly redacted?: string;
  readonly text?: string | readonly string[];
  readonly calls?: readonly MessagesCall[];
  /** Instead of the four above: the blocks in any order and number. */
  readonly blocks?: readonly ReplyBlock[];
  /** Default `tool_use` when there are calls, else `end_turn`. `null` for a stream that never says. */
  readonly stop?: StopReason | null;
  /** Changes what the double counts; `null` reports none at all. */
  readonly usage?: { readonly [key: string]: unknown } | null;
  /** The index that is told for the block at `place`. Default its place. */
  readonly index?: (place: number) => number | undefined;
  /** Whole events after those of the blocks, for what no well-behaved server would send. */
  readonly events?: readonly { readonly type: string; readonly [key: string]: unknown }[];
  readonly fault?: Fault;
}

export interface MessagesCall {
  /** Default `toolu_<n>`, unique over all answers; any text is taken. */
  readonly id?: string;
  readonly name: string;
  /** JSON text, streamed as given or ten characters at a time. Default none at all. */
  readonly input?: string | readonly string[];
}

export type ReplyBlock =
  | { readonly type: 'thinking'; readonly thinking: string | readonly string[]; readonly signature?: string }
  | { readonly type: 'redacted_thinking'; readonly thinking: string }
  | { readonly type: 'text'; readonly text: string | readonly string[] }
  | ({ readonly type: 'tool_use' } & MessagesCall);

export function blocksOfReply(reply: MessagesReply): readonly ReplyBlock[] {
  if (reply.blocks !== undefined) return reply.blocks;
  const { thinking, redacted, text, calls = [] } = reply;
  return [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking } as const]),
    ...(redacted === undefined ? [] : [{ type: 'redacted_thinking', thinking: redacted } as const]),
    ...(text === undefined ? [] : [{ type: 'text', text } as const]),
    ...calls.map((call) => ({ type: 'tool_use', ...call }) as const),
  ];
}

export function stopOf(reply: MessagesReply): StopReason | null {
  if (reply.stop !== undefined) return reply.stop;
  return blocksOfReply(reply).some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

export function pieces(text: string | readonly string[] | undefined, cut: RegExp): readonly string[] {
  if (typeof text !== 'string') return text ?? [];
  return text.match(cut) ?? [];
}

export function joined(text: string | readonly string[] | undefined): string {
  return typeof text === 'string' ? text : (text ?? []).join('');
}

/** All that the model wrote, for counting. */
export function writtenBy(reply: MessagesReply): string {
  return blocksOfReply(reply)
    .map((block) => {
      if (block.type === 'text') return joined(block.text);
      return block.type === 'tool_use' ? block.name + joined(block.input) : joined(block.thinking);
    })
    .join('');
}
