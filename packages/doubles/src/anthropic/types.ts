/** What a Messages request looks like once its shape has been checked: only the fields that the double reads. */
export interface MessagesRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly WireMessage[];
  readonly system?: string | readonly TextBlock[];
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: { readonly type: string; readonly [key: string]: unknown };
  readonly thinking?: ThinkingSetting;
  readonly stream?: boolean;
}

/** The same without an answer: for `count_tokens`. */
export type CountRequest = Omit<MessagesRequest, 'max_tokens' | 'stream'>;

export type ThinkingSetting =
  | { readonly type: 'enabled'; readonly budget_tokens: number }
  | { readonly type: 'adaptive' }
  | { readonly type: 'disabled' };

export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: string | readonly WireBlock[];
}

export interface CacheMark {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface Markable {
  readonly cache_control?: CacheMark | null;
}

export interface TextBlock extends Markable {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageBlock extends Markable {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

export interface ToolUseBlock extends Markable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: { readonly [key: string]: unknown };
}

export interface ToolResultBlock extends Markable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly (TextBlock | ImageBlock)[];
  readonly is_error?: boolean;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export type WireBlock =
  TextBlock | ImageBlock | ToolUseBlock | ToolResultBlock | ThinkingBlock | RedactedThinkingBlock;

export interface WireTool extends Markable {
  readonly name: string;
  readonly description?: string;
  readonly input_schema: { readonly type: 'object'; readonly [key: string]: unknown };
}

/** A message as the service reads it: neighbours of one role are one message, and text is a block. */
export interface Turn {
  readonly role: WireMessage['role'];
  readonly blocks: readonly WireBlock[];
}

/** Consecutive messages of one role are combined into one turn, as the service does it. */
export function turnsOf(messages: readonly WireMessage[]): Turn[] {
  const turns: { role: WireMessage['role']; blocks: WireBlock[] }[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.role === message.role) last.blocks.push(...blocksOf(message));
    else turns.push({ role: message.role, blocks: [...blocksOf(message)] });
  }
  return turns;
}

export function blocksOf({ content }: WireMessage): readonly WireBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

export function systemBlocks(system: MessagesRequest['system']): readonly TextBlock[] {
  if (system === undefined) return [];
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system;
}
