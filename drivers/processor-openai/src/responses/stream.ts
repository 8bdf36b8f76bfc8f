import type { FinishReason, Part, ProcessorEvent, Reply, Usage } from '@pagefault/contracts';
import {
  brokenCallsOf,
  NO_USAGE,
  reportedField,
  reportedTokens,
  usedSoFar,
  wellFormed,
  type WrittenCall,
  writtenCall,
} from '@pagefault/driver-kit';
import { createItems, type HeardItem } from './items.js';
import { thinkingPart } from './reasoning.js';

/** An event of the stream. Any of it may be missing, whatever the types of the SDK say. */
export interface ResponseEvent {
  readonly type?: string;
  readonly output_index?: unknown;
  readonly item?: unknown;
  readonly delta?: unknown;
  readonly response?: unknown;
  readonly code?: unknown;
  readonly message?: unknown;
}

export interface Assembly {
  /** The events that an event of the stream brings. */
  push(event: ResponseEvent): ProcessorEvent[];
  /** Throws the failure that the last event told: what it used is told before. */
  check(): void;
  /** The whole reply; undefined when the stream ended without saying so, so that it may be only a part. */
  reply(): Reply | undefined;
}

const DELTAS: Readonly<Record<string, 'text' | 'refusal' | 'thinking' | 'arguments'>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'refusal',
  'response.reasoning_text.delta': 'thinking',
  'response.reasoning_summary_text.delta': 'thinking',
  'response.function_call_arguments.delta': 'arguments',
};

/** Puts a streamed answer together. Pure over the events and the ids of `mintId`. */
export function createAssembly(model: string, mintId: () => string): Assembly {
  const items = createItems();
  let end: { readonly incomplete: string; readonly usage: Usage } | undefined;
  let failed: Error | undefined;
  return {
    push(event) {
      const kind = DELTAS[event.type ?? ''];
      if (kind !== undefined) return items.add(event.output_index, kind, event.delta);
      switch (event.type) {
        case 'response.output_item.added':
        case 'response.output_item.done':
          return items.tell(event.output_index, event.item);
        case 'response.completed':
        case 'response.incomplete':
          end = endOf(event.response);
          return usedSoFar(end.usage);
        case 'response.failed':
          failed = failureOf(reportedField(event.response, 'error'));
          return usedSoFar(readUsage(reportedField(event.response, 'usage')));
        case 'error':
          failed = failureOf(event);
          return [];
        default:
          return [];
      }
    },
    check() {
      if (failed !== undefined) throw failed;
    },
    reply: () => (end === undefined ? undefined : assemble(items.all, end, model, mintId)),
  };
}

function endOf(response: unknown): { incomplete: string; usage: Usage } {
  const details = reportedField(response, 'incomplete_details');
  const reason = reportedField(details, 'reason');
  return {
    incomplete: typeof reason === 'string' ? reason : '',
    usage: readUsage(reportedField(response, 'usage')),
  };
}

/** As an error of the SDK, so that one place judges all. */
function failureOf(told: unknown): Error {
  const message = reportedField(told, 'message');
  const code = reportedField(told, 'code');
  const text = typeof message === 'string' && message !== '' ? message : 'the response failed';
  return Object.assign(new Error(text), { code: typeof code === 'string' ? code : '' });
}

/** Its `input_tokens` include what was read from the cache and what was written to it. */
function readUsage(usage: unknown): Usage {
  if (typeof usage !== 'object' || usage === null) return NO_USAGE;
  const input = reportedTokens(usage, 'input_tokens');
  const details = reportedField(usage, 'input_tokens_details');
  const cached = Math.min(reportedTokens(details, 'cached_tokens'), input);
  const written = Math.min(reportedTokens(details, 'cache_write_tokens'), input - cached);
  return { plain: input - cached - written, cached, written, output: reportedTokens(usage, 'output_tokens') };
}

function assemble(
  items: readonly HeardItem[],
  { incomplete, usage }: { readonly incomplete: string; readonly usage: Usage },
  model: string,
  mintId: () => string,
): Reply {
  const inOrder = items.toSorted((a, b) => a.place - b.place);
  const wasCut = incomplete === 'max_output_tokens';
  const calls = new Map<HeardItem, WrittenCall>();
  for (const item of inOrder) {
    if (item.type !== 'function_call' || item.name === '') continue;
    const isLast = item === inOrder.at(-1);
    calls.set(item, writtenCall({ name: item.name, arguments: item.text }, wasCut && isLast, mintId()));
  }
  const isRefused = incomplete === 'content_filter' || items.some(({ refusal }) => refusal !== '');
  return {
    parts: inOrder.flatMap((item) => partsOf(item, calls.get(item), model)),
    reason: reasonOf(isRefused, wasCut, calls.size > 0),
    usage,
    ...brokenCallsOf([...calls.values()]),
  };
}

function partsOf(item: HeardItem, call: WrittenCall | undefined, model: string): Part[] {
  const text = wellFormed(item.text);
  if (item.type === 'reasoning')
    return text === '' && item.encrypted === '' ? [] : [thinkingPart(item, text, model)];
  if (item.type === 'function_call')
    return call === undefined || call.problem !== undefined ? [] : [call.call];
  if (item.type !== 'message') return [];
  return [text, wellFormed(item.refusal)].flatMap((each): Part[] =>
    each === '' ? [] : [{ type: 'text', text: each }],
  );
}

function reasonOf(isRefused: boolean, wasCut: boolean, hasCalls: boolean): FinishReason {
  if (isRefused) return 'refused';
  if (wasCut) return 'length';
  return hasCalls ? 'calls' : 'stop';
}
