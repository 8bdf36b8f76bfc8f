/** What happened in one session of a Claude Code log. */
import type { AgentCall, AgentEvent, AgentReply } from './agent-session.js';
import type { Block, Entry, Usage } from './claude-code-log.js';
import { IMAGE_TOKENS, sum, tokensOfContent } from './content.js';
import { CHARACTERS_BY_FOUR, type ImportOptions, isRecord } from './source.js';
import { stableJson } from './stable-json.js';

interface Reply {
  readonly at: number | undefined;
  readonly blocks: Block[];
  usage: Usage | undefined;
}

type Count = (text: string) => number;

export function* eventsOf(entries: readonly Entry[], options: ImportOptions): Generator<AgentEvent> {
  const { count } = options.tokenizer ?? CHARACTERS_BY_FOUR;
  for (const one of inOrder(entries)) {
    if ('role' in one) yield* said(one, count);
    else yield replied(one, count);
  }
}

function replied({ at, blocks, usage }: Reply, count: Count): AgentReply {
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  return {
    type: 'reply',
    at,
    out: usage?.output_tokens ?? sum(blocks.map((block) => tokensOf(block, count))),
    text: textTokens(blocks, count),
    calls: calls.map((call): AgentCall => ({ id: call.id, of: keyOf(call), tok: tokensOf(call, count) })),
    usage: usage && billed(usage),
  };
}

function* said({ blocks, isSummary }: Entry, count: Count): Generator<AgentEvent> {
  for (const block of blocks)
    if (block.type === 'tool_result') {
      const { tool_use_id: call, is_error: error } = block;
      yield { type: 'result', call, tok: tokensOf(block, count), failed: error === true };
    }
  if (isSummary) yield { type: 'boundary', kind: 'compact' };
  const tok = textTokens(blocks, count);
  if (tok !== undefined) yield { type: 'text', kind: isSummary ? 'summary' : 'user', tok };
}

function textTokens(blocks: readonly Block[], count: Count): number | undefined {
  const texts = blocks.filter(({ type }) => type !== 'tool_use' && type !== 'tool_result');
  return texts.length === 0 ? undefined : sum(texts.map((block) => tokensOf(block, count)));
}

function tokensOf({ type, text, thinking, name = '', input, content }: Block, count: Count): number {
  if (type === 'image') return IMAGE_TOKENS;
  if (type === 'tool_use') return count(name + JSON.stringify(input ?? {}));
  return count(text ?? thinking ?? '') + tokensOfContent(content, count);
}

function billed({ cache_read_input_tokens: read, cache_creation_input_tokens: write, ...usage }: Usage) {
  return { read, write, plain: usage.input_tokens, out: usage.output_tokens };
}

/** What a call is a reading of: `Read` of a file is of the file, whatever part of it; any other call is of its arguments. */
function keyOf({ name = '', input }: Block): string {
  const path = isRecord(input) ? input['file_path'] : undefined;
  return name === 'Read' && typeof path === 'string' ? `file ${path}` : `${name} ${stableJson(input)}`;
}

/** A reply is logged a block a line; its lines become one, where the first stands. The last usage is the whole one. */
function inOrder(entries: readonly Entry[]): (Entry | Reply)[] {
  const [ordered, replies]: [(Entry | Reply)[], Map<string, Reply>] = [[], new Map()];
  for (const entry of entries) {
    if (entry.role === 'user') ordered.push(entry);
    else {
      const known = replies.get(entry.reply ?? '');
      const reply = known ?? { at: entry.at, blocks: [], usage: undefined };
      reply.blocks.push(...entry.blocks);
      reply.usage = entry.usage ?? reply.usage;
      if (!known) ordered.push(reply);
      if (entry.reply !== undefined) replies.set(entry.reply, reply);
    }
  }
  return ordered;
}
