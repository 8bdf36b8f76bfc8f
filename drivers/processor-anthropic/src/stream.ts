import type { FinishReason, Part, ProcessorEvent, Reply } from '@pagefault/contracts';
import {
  brokenCallsOf,
  said,
  usedSoFar,
  wellFormed,
  writtenCall,
  type WrittenCall,
} from '@pagefault/driver-kit';
import { begunBlock, type HeardBlock, type ServerEvent, takeDelta, text } from './heard-blocks.js';
import { redactedPart, thinkingPart } from './reasoning.js';
import { readUsage } from './usage.js';

export interface Assembly {
  /** The events that an event of the server brings. Throws what the server reports as an error. */
  push(event: ServerEvent): ProcessorEvent[];
  /** The whole reply; undefined when the stream ended without saying why, so that it may be only a part. */
  reply(): Reply | undefined;
}

/** Puts a streamed reply together. Pure over the events and the ids of `mintId`. */
export function createAssembly(model: string, mintId: () => string): Assembly {
  const blocks: HeardBlock[] = [];
  const heard = { stop: '', first: undefined as unknown, last: undefined as unknown };
  return {
    push(event) {
      switch (event.type) {
        case 'message_start':
          heard.first = event.message?.usage;
          return usedSoFar(readUsage(heard.first, heard.last));
        case 'content_block_start':
          return begin(blocks, event);
        case 'content_block_delta':
          return goOn(blocks, event);
        case 'message_delta':
          heard.stop = text(event.delta?.['stop_reason']) || heard.stop;
          heard.last = event.usage ?? heard.last;
          return usedSoFar(readUsage(heard.first, heard.last));
        case 'error':
          throw Object.assign(new Error('the server reported an error in the stream'), event.error);
        default:
          return [];
      }
    },
    reply: () =>
      heard.stop === ''
        ? undefined
        : { ...assembled(blocks, heard.stop, model, mintId), usage: readUsage(heard.first, heard.last) },
  };
}

function begin(blocks: HeardBlock[], event: ServerEvent): ProcessorEvent[] {
  const block = begunBlock(event);
  blocks.push(block);
  if (!isCall(block)) return [...spokenIn(block, block.text)];
  return [
    { type: 'call', slot: slotOf(blocks, block), name: block.name },
    ...written(blocks, block, block.text),
  ];
}

function goOn(blocks: HeardBlock[], event: ServerEvent): ProcessorEvent[] {
  const heard = takeDelta(blocks, event);
  if (heard === undefined) return [];
  return isCall(heard.block) ? written(blocks, heard.block, heard.added) : spokenIn(heard.block, heard.added);
}

function spokenIn({ kind }: HeardBlock, delta: string): ProcessorEvent[] {
  return kind === 'text' || kind === 'thinking' ? said(kind, delta) : [];
}

function written(blocks: readonly HeardBlock[], block: HeardBlock, delta: string): ProcessorEvent[] {
  return delta === '' ? [] : [{ type: 'arguments', slot: slotOf(blocks, block), delta }];
}

/** Without a name it is no call. */
function isCall(block: HeardBlock): boolean {
  return block.kind === 'call' && block.name !== '';
}

/** Its place among the calls. */
function slotOf(blocks: readonly HeardBlock[], block: HeardBlock): number {
  return blocks.filter(isCall).indexOf(block);
}

const CUT = new Set(['max_tokens', 'model_context_window_exceeded']);

function assembled(
  blocks: readonly HeardBlock[],
  stop: string,
  model: string,
  mintId: () => string,
): Omit<Reply, 'usage'> {
  const isRefused = stop === 'refusal';
  // What a model was about to do when it declined is not done.
  const kept = blocks.filter((block) => !(isRefused && isCall(block)));
  const calls = new Map<HeardBlock, WrittenCall>();
  for (const block of kept.filter(isCall)) {
    // Ids are always minted: an id is unique in the process, and servers repeat theirs.
    const mayBeCut = CUT.has(stop) && block === blocks.at(-1);
    calls.set(block, writtenCall({ name: block.name, arguments: block.text }, mayBeCut, mintId()));
  }
  return {
    parts: kept.flatMap((block) => partsOf(block, calls.get(block), model)),
    reason: reasonOf(stop, calls.size > 0),
    ...brokenCallsOf([...calls.values()]),
  };
}

function partsOf(block: HeardBlock, call: WrittenCall | undefined, model: string): Part[] {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: wellFormed(block.text) }];
    case 'thinking':
      return block.text === '' && block.signature === ''
        ? []
        : [thinkingPart(model, block.text, block.signature)];
    case 'redacted':
      return block.text === '' ? [] : [redactedPart(model, block.text)];
    case 'call':
      return call === undefined || call.problem !== undefined ? [] : [call.call];
    case 'other':
      return [];
  }
}

function reasonOf(stop: string, hasCalls: boolean): FinishReason {
  if (stop === 'refusal') return 'refused';
  if (CUT.has(stop)) return 'length';
  // What came counts, not what the server calls it: `pause_turn` too is a turn that may go on.
  return hasCalls ? 'calls' : 'stop';
}
