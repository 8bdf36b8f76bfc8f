import type { FinishReason, Part, ProcessorEvent, Reply, Usage } from '@pagefault/contracts';
import {
  brokenCallsOf,
  type HeardCall,
  NO_USAGE,
  reportedField,
  said,
  usedSoFar,
  wellFormed,
  writtenCall,
} from '@pagefault/driver-kit';
import { createSlots, type CallFragment, type Slot } from './slots.js';
import { createSpelledText } from './spelled.js';
import { readUsage } from './usage.js';

interface Delta {
  /** A list of parts by some servers. */
  readonly content?: unknown;
  readonly refusal?: string | null;
  readonly reasoning_content?: string | null;
  readonly reasoning?: string | null;
  readonly tool_calls?: readonly CallFragment[] | null;
}

/** A chunk of the stream, with what compatible servers add and leave out. */
export interface Chunk {
  readonly choices?:
    | readonly {
        readonly delta?: Delta | null;
        /** By servers that send the whole at once. */
        readonly message?: Delta | null;
        readonly finish_reason?: string | null;
      }[]
    | null;
  readonly usage?: unknown;
}

export interface Assembly {
  /** The events that a chunk brings. */
  push(chunk: Chunk): ProcessorEvent[];
  /** The events that the end of the stream brings: text that might have been a call, or the calls that it was. */
  end(): ProcessorEvent[];
  /** The whole reply; undefined when the stream ended without saying why, so that it may be only a part. */
  reply(): Reply | undefined;
}

/**
 * Puts a streamed reply together. Pure over the chunks and the ids of `mintId`. Calls of `offered` functions are read out of
 * the text, where the server did not.
 */
export function createAssembly(
  mintId: () => string,
  offered: ReadonlySet<string> = new Set<string>(),
): Assembly {
  const slots = createSlots();
  const announced: Slot[] = [];
  const spelled = createSpelledText(offered);
  const heard = {
    text: '',
    thinking: '',
    refusal: '',
    finish: undefined as string | undefined,
    usage: NO_USAGE,
  };
  return {
    push(chunk) {
      const isTold = chunk.usage !== undefined && chunk.usage !== null;
      if (isTold) heard.usage = readUsage(chunk.usage);
      const choice = chunk.choices?.[0];
      heard.finish = choice?.finish_reason ?? heard.finish;
      const delta = choice?.delta ?? choice?.message ?? {};
      const thinking = text(delta.reasoning_content) || text(delta.reasoning);
      const fragments = delta.tool_calls ?? [];
      const content =
        spelled.push(contentText(delta.content)) + (fragments.length > 0 ? spelled.release() : '');
      const refusal = text(delta.refusal);
      heard.thinking += thinking;
      heard.text += content;
      heard.refusal += refusal;
      return [
        ...(isTold ? usedSoFar(heard.usage) : []),
        ...said('thinking', thinking),
        ...said('text', content),
        ...said('text', refusal),
        ...fragments.flatMap((fragment) => callEvents(slots.add(fragment), fragment, announced)),
      ];
    },
    end() {
      const { text: content, calls } =
        announced.length > 0 ? { text: spelled.release(), calls: [] } : spelled.end();
      heard.text += content;
      return [...said('text', content), ...calls.flatMap((call) => spelledEvents(call, announced))];
    },
    reply: () => (heard.finish === undefined ? undefined : assemble(heard, announced, mintId)),
  };
}

function contentText(content: unknown): string {
  if (!Array.isArray(content)) return text(content);
  return content.map((part) => text(reportedField(part, 'text'))).join('');
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * A call is announced when its name is known; what was heard of its arguments until then follows at once.
 * Without a name it is no call: some servers open an empty one for a reasoning item.
 */
function callEvents(slot: Slot, fragment: CallFragment, announced: Slot[]): ProcessorEvent[] {
  if (slot.name === '') return [];
  const known = announced.indexOf(slot);
  if (known < 0) announced.push(slot);
  const place = known < 0 ? announced.length - 1 : known;
  const delta = known < 0 ? slot.arguments : text(fragment.function?.arguments);
  return [
    ...(known < 0 ? [{ type: 'call', slot: place, name: slot.name } as const] : []),
    ...(delta === '' ? [] : [{ type: 'arguments', slot: place, delta } as const]),
  ];
}

function spelledEvents(call: HeardCall, announced: Slot[]): ProcessorEvent[] {
  const slot = announced.push({ index: undefined, id: '', ...call }) - 1;
  return [
    { type: 'call', slot, name: call.name },
    ...(call.arguments === '' ? [] : [{ type: 'arguments', slot, delta: call.arguments } as const]),
  ];
}

interface Heard {
  readonly text: string;
  readonly thinking: string;
  readonly refusal: string;
  readonly finish: string | undefined;
  readonly usage: Usage;
}

function assemble(heard: Heard, called: readonly Slot[], mintId: () => string): Reply {
  const wasCut = heard.finish === 'length';
  // Ids are always minted: servers use `call_0` in every turn or leave it empty, and an id is unique in the process.
  const calls = called.map((slot) => writtenCall(slot, wasCut && slot === called.at(-1), mintId()));
  const sound = calls.flatMap(({ call, problem }) => (problem === undefined ? [call] : []));
  return {
    parts: [...textParts(heard), ...sound],
    reason: reasonOf(heard, called.length > 0),
    usage: heard.usage,
    ...brokenCallsOf(calls),
  };
}

function textParts({ text, thinking, refusal }: Heard): Part[] {
  return [
    ...(thinking === '' ? [] : [{ type: 'thinking', text: wellFormed(thinking) } as const]),
    ...(text === '' ? [] : [{ type: 'text', text: wellFormed(text) } as const]),
    ...(refusal === '' ? [] : [{ type: 'text', text: wellFormed(refusal) } as const]),
  ];
}

function reasonOf(heard: Heard, hasCalls: boolean): FinishReason {
  if (heard.finish === 'content_filter' || heard.refusal !== '') return 'refused';
  if (heard.finish === 'length') return 'length';
  // Servers say `stop` with calls and `tool_calls` without: what came counts.
  return hasCalls ? 'calls' : 'stop';
}
