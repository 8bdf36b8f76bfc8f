import { countTokens, encode } from 'gpt-tokenizer/encoding/o200k_base';
import { PLAIN_TEXT, slicesOf, sumOfSlices } from './slices.js';
import type { ChatMessage, ChatRequest } from './types.js';

/**
 * A token of a prompt: a number of the vocabulary, or what stands for the marks that the service puts around messages and
 * tools. Marks differ where what they mark differs, so that two prompts share no more than they would in truth.
 */
export type PromptToken = number | string;

const IMAGE_TOKENS = 765;

export function textTokens(text: string): number {
  return sumOfSlices(text, countTokens);
}

export function promptTokens(request: ChatRequest): number {
  return tokensOf(request).length;
}

/**
 * The tokens of a prompt in order, as many as OpenAI's cookbook tells: 3 a message, 1 a role and a name, 3 for the reply.
 * Tools come first, as in the service's own prefix.
 */
export function tokensOf(request: ChatRequest): readonly PromptToken[] {
  const tokens: PromptToken[] = [];
  for (const tool of request.tools ?? [])
    append(tokens, marks('tool', 8), encodedTokens(JSON.stringify(tool.function)));
  for (const message of request.messages) append(tokens, ...messageTokens(message));
  append(tokens, marks('reply', 3));
  return tokens;
}

function messageTokens(message: ChatMessage): (readonly PromptToken[])[] {
  const { role, name, tool_call_id = '' } = message;
  const named = name === undefined ? [] : [marks('name', 1), encodedTokens(name)];
  const calls = (message.tool_calls ?? []).flatMap((call) => [
    marks(`call ${call.id}`, 6),
    encodedTokens(call.function.name),
    encodedTokens(call.function.arguments),
  ]);
  return [
    marks(`${role} ${tool_call_id}`, 3),
    ...named,
    ...contentTokens(message),
    ...calls,
    marks('end', 1),
  ];
}

function contentTokens({ content }: ChatMessage): (readonly PromptToken[])[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [encodedTokens(content)];
  return content.map((part) =>
    part.type === 'text' ? encodedTokens(part.text ?? '') : marks(part.image_url?.url ?? '', IMAGE_TOKENS),
  );
}

export function marks(what: string, count: number): readonly PromptToken[] {
  return Array.from({ length: count }, () => `<${what}>`);
}

/** Most of a prompt was in the one before. */
const known = new Map<string, readonly number[]>();
const MOST_KNOWN = 4_096;

export function encodedTokens(text: string): readonly number[] {
  const before = known.get(text);
  if (before !== undefined) return before;
  const tokens: number[] = [];
  for (const slice of slicesOf(text)) append(tokens, encode(slice, PLAIN_TEXT));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, tokens);
  return tokens;
}

/** One by one: a call with a hundred thousand arguments is none. */
function append<T>(to: T[], ...lists: readonly (readonly T[])[]): void {
  for (const list of lists) for (const item of list) to.push(item);
}
