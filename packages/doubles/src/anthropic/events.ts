import type { StreamedAnswer } from '../stream-out.js';
import {
  answeredBlocks,
  messageOf,
  outputTokens,
  usageOf,
  withoutStream,
  type AnsweredBlock,
} from './answer.js';
import type { CacheUse } from './cache.js';
import { stopOf, type MessagesReply } from './reply.js';
import type { MessagesRequest } from './types.js';

interface ServerEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** A streamed answer, event by event, in the service's order: the head, each block, the end; one ping after the head. */
export function streamedAnswer(
  reply: MessagesReply,
  request: MessagesRequest,
  n: number,
  cache: CacheUse,
): StreamedAnswer {
  const usage = usageOf(reply, request, cache);
  const blocks = answeredBlocks(reply, request, n);
  const events = [
    { type: 'message_start', message: messageOf(reply, request, n, [], usage) },
    { type: 'ping' },
    ...blocks.flatMap((block, place) => blockEvents(block, reply.index ? reply.index(place) : place)),
    ...(reply.events ?? []),
    ...endEvents(reply, usage),
  ];
  return { frames: events.map(frameOf), errorFrame, garbageFrame: GARBAGE };
}

function blockEvents(block: AnsweredBlock, at: number | undefined): ServerEvent[] {
  const index = at === undefined ? {} : { index: at };
  return [
    { type: 'content_block_start', ...index, content_block: emptied(block) },
    ...block.streamed.map((delta) => ({ type: 'content_block_delta', ...index, delta })),
    { type: 'content_block_stop', ...index },
  ];
}

/** As a block begins: what its deltas will bring is not yet there. */
function emptied(block: AnsweredBlock): object {
  const whole = withoutStream(block);
  switch (whole.type) {
    case 'text':
      return { ...whole, text: '' };
    case 'thinking':
      return { ...whole, thinking: '', signature: '' };
    case 'tool_use':
      return { ...whole, input: {} };
    default:
      return whole;
  }
}

function endEvents(reply: MessagesReply, usage: object | undefined): ServerEvent[] {
  const stop_reason = stopOf(reply);
  if (stop_reason === null) return [];
  const counted =
    usage === undefined ? {} : { usage: { ...usage, output_tokens: outputTokens(reply), ...reply.usage } };
  return [
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, ...counted },
    { type: 'message_stop' },
  ];
}

const GARBAGE = 'event: content_block_delta\ndata: {"type":"content_bl\n\n';

const OVERLOADED = { type: 'overloaded_error', message: 'Overloaded' };

function errorFrame(error: object = OVERLOADED): string {
  return frameOf({ type: 'error', error });
}

function frameOf(event: ServerEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
