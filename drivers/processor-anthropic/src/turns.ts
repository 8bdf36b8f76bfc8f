import type { Message } from '@pagefault/contracts';
import { createWireIds, type Pair, pairCalls, type WireIds } from '@pagefault/driver-kit';
import type { WireBlock, WireThinking } from './api.js';
import { callBlock, resultBlock, systemNote, textBlocks, textOf, userBlocks } from './content.js';
import { isThinking, thinkingBlock } from './reasoning.js';

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly Placed[];
}

export interface Placed {
  readonly block: WireBlock;
  /** The place in the history of the message that it is from. */
  readonly from: number;
}

export interface TurnSettings {
  readonly model: string;
  readonly images: boolean;
  /** Whether the model's own thinking is sent back. */
  readonly replayThinking: boolean;
}

/** The service's ids have under 40 characters; it names no limit. */
const LONGEST_ID = 64;

/** What stands where the service wants a user's message and the history has none. */
export const OPENING = '(earlier messages are not shown)';
export const CLOSING = '(go on)';

/**
 * The conversation as the service wants it: users and the assistant take turns, a user begins and ends it, calls are
 * answered at the head of the next turn, and no turn is empty or ends with thinking. Pure.
 */
export function turnsOf(messages: readonly Message[], settings: TurnSettings): Turn[] {
  const pairs = pairCalls(messages);
  const ids = createWireIds(LONGEST_ID);
  const turns: { role: Turn['role']; blocks: Placed[] }[] = [];
  const add = (role: Turn['role'], from: number, blocks: readonly WireBlock[]): void => {
    if (blocks.length === 0) return;
    const placed = blocks.map((block) => ({ block, from }));
    const last = turns.at(-1);
    if (last?.role === role) last.blocks.push(...placed);
    else turns.push({ role, blocks: placed });
  };
  messages.forEach((message, at) => {
    if (message.role === 'user') add('user', at, userBlocks(message, settings.images));
    if (message.role === 'system') add('user', at, textBlocks(systemNote(textOf(message.parts))));
    if (message.role !== 'assistant') return;
    const own = wiredPairs(pairs.get(message) ?? [], ids);
    add('assistant', at, withoutLastThinking(assistantBlocks(message, own, settings)));
    add(
      'user',
      at,
      own.map(({ result, id }) => resultBlock(result, id)),
    );
  });
  if (turns[0]?.role === 'assistant') turns.unshift(spoken(OPENING, 0));
  if (turns.at(-1)?.role !== 'user') turns.push(spoken(CLOSING, messages.length));
  return turns;
}

function spoken(text: string, from: number): { role: 'user'; blocks: Placed[] } {
  return { role: 'user', blocks: [{ block: { type: 'text', text }, from }] };
}

interface WiredPair extends Pair {
  readonly id: string;
}

function wiredPairs(pairs: readonly Pair[], ids: WireIds): WiredPair[] {
  return pairs.map((pair) => ({ ...pair, id: ids.take(pair.call.callId) }));
}

/** Parts in their order, for a signature vouches for its place too. */
function assistantBlocks(message: Message, pairs: readonly WiredPair[], settings: TurnSettings): WireBlock[] {
  const waiting = [...pairs];
  return message.parts.flatMap((part): WireBlock[] => {
    switch (part.type) {
      case 'text':
        return textBlocks(part.text);
      case 'thinking':
        return settings.replayThinking ? listed(thinkingBlock(part, settings.model)) : [];
      case 'call':
        return listed(calledNext(waiting));
      case 'image':
      case 'result':
        return [];
    }
  });
}

/** Calls come in the order of their pairs. */
function calledNext(waiting: WiredPair[]): WireBlock | undefined {
  const next = waiting.shift();
  return next && callBlock(next.call, next.id);
}

function listed<T extends WireBlock | WireThinking>(block: T | undefined): T[] {
  return block === undefined ? [] : [block];
}

function withoutLastThinking(blocks: readonly WireBlock[]): readonly WireBlock[] {
  const last = blocks.findLastIndex((block) => !isThinking(block));
  return blocks.slice(0, last + 1);
}
