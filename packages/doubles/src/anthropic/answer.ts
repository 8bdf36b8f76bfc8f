import {
  blocksOfReply,
  joined,
  pieces,
  stopOf,
  writtenBy,
  type MessagesReply,
  type ReplyBlock,
} from './reply.js';
import type { CacheUse } from './cache.js';
import { claudeTokens, inputTokens } from './prompt.js';
import { prefixHash, signerOf, spokenBlocks } from './signature.js';
import type { MessagesRequest, WireBlock } from './types.js';

/** A block of an answer, complete: with its id or its signature. */
export type AnsweredBlock = WireBlock & { readonly streamed: readonly object[] };

/** The blocks of an answer, signed for this conversation. `n` makes ids unique. */
export function answeredBlocks(reply: MessagesReply, request: MessagesRequest, n: number): AnsweredBlock[] {
  const spoken = spokenBlocks(request);
  return blocksOfReply(reply).map((block, place) => {
    const answered = answeredBlock(block, request, prefixHash(request, spoken), `toolu_${n}_${place}`);
    spoken.push(['assistant', withoutStream(answered)]);
    return answered;
  });
}

function answeredBlock(
  block: ReplyBlock,
  request: MessagesRequest,
  prefix: string,
  id: string,
): AnsweredBlock {
  const signer = signerOf(request.model);
  switch (block.type) {
    case 'text':
      return { type: 'text', text: joined(block.text), streamed: deltas(block.text, 'text_delta', 'text') };
    case 'thinking': {
      const thinking = joined(block.thinking);
      const signature = block.signature ?? signer.sign(thinking, prefix);
      const said = deltas(block.thinking, 'thinking_delta', 'thinking');
      const signed = signature === '' ? [] : [{ type: 'signature_delta', signature }];
      return { type: 'thinking', thinking, signature, streamed: [...said, ...signed] };
    }
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: signer.seal(block.thinking, prefix), streamed: [] };
    case 'tool_use': {
      const written = pieces(block.input, /[^]{1,10}/g);
      const streamed = written.map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      return {
        type: 'tool_use',
        id: block.id ?? id,
        name: block.name,
        input: parsed(written.join('')),
        streamed,
      };
    }
  }
}

function deltas(text: string | readonly string[], type: string, key: string): object[] {
  return pieces(text, /\S+\s*|\s+/g).map((piece) => ({ type, [key]: piece }));
}

/** Cut or broken input, as the service gives it in an answer that is not streamed. */
function parsed(text: string): { [key: string]: unknown } {
  try {
    return text === '' ? {} : (JSON.parse(text) as { [key: string]: unknown });
  } catch {
    return {};
  }
}

export function withoutStream({ streamed: _, ...block }: AnsweredBlock): WireBlock {
  return block as WireBlock;
}

/** The head of an answer; also the whole of one that is not streamed. */
export function messageOf(
  reply: MessagesReply,
  request: MessagesRequest,
  n: number,
  content: readonly WireBlock[],
  usage: object | undefined,
): object {
  const stop = content.length === 0 && request.stream === true ? null : stopOf(reply);
  return {
    id: `msg_${n}`,
    type: 'message',
    role: 'assistant',
    model: request.model,
    content,
    stop_reason: stop,
    stop_sequence: null,
    ...(usage === undefined ? {} : { usage }),
  };
}

/** The input's part of the usage: what came from the cache and went there is not in `input_tokens`. */
export function usageOf(reply: MessagesReply, request: MessagesRequest, cache: CacheUse): object | undefined {
  if (reply.usage === null) return undefined;
  const written = cache.written['5m'] + cache.written['1h'];
  return {
    input_tokens: inputTokens(request) - cache.read - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cache.read,
    cache_creation: {
      ephemeral_5m_input_tokens: cache.written['5m'],
      ephemeral_1h_input_tokens: cache.written['1h'],
    },
    output_tokens: 1,
    service_tier: 'standard',
    ...reply.usage,
  };
}

export function outputTokens(reply: MessagesReply): number {
  return claudeTokens(writtenBy(reply)) + 1;
}

/** The body of a refusal in the service's form. */
export function errorBody(message: string, type = 'invalid_request_error'): object {
  return { type: 'error', error: { type, message }, request_id: 'req_double' };
}

/** What the service says when prompt and output do not fit its window; undefined when they do. */
export function overflowBody(request: MessagesRequest, window: number): object | undefined {
  const prompt = inputTokens(request);
  if (prompt > window) return errorBody(`prompt is too long: ${prompt} tokens > ${window} maximum`);
  if (prompt + request.max_tokens <= window) return undefined;
  return errorBody(
    `input length and \`max_tokens\` exceed context limit: ${prompt} + ${request.max_tokens} > ${window}, decrease input length or \`max_tokens\` and try again`,
  );
}
