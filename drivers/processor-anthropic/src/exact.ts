import type { CallPart, CountablePiece, InferRequest, Message, Part, Tokens } from '@pagefault/contracts';
import { legalName, startWatch, type Watch } from '@pagefault/driver-kit';
import type { MessagesClient } from './api.js';
import type { Bounds } from './bounds.js';
import { DRIVER_NAME, type Options } from './options.js';
import { toCountBody } from './request.js';

/** Requests to count that are under way at once: the service limits them by the minute. */
const AT_ONCE = 4;

/**
 * The provider's own count of each piece, asked for in a request of its own, so that a few tokens of the frame come with
 * each. Where the provider cannot be asked, all that is left gets upper bounds: a count never fails.
 */
export async function countExactly(
  client: MessagesClient,
  pieces: readonly CountablePiece[],
  options: Options,
  bounds: Bounds,
  callers: readonly AbortSignal[],
): Promise<readonly Tokens[]> {
  const { idleTimeout: idle, deadline: left } = options;
  const watch = startWatch({ driver: DRIVER_NAME, idle, left, callers });
  const counted = new Map<number, Tokens>();
  const waiting = [...pieces.entries()].filter(([, piece]) => !isEmpty(piece));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      counted.set(next[0], await countOne(client, next[1], options, watch));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch {
    // What was counted until now is kept; bounds serve for the rest.
  } finally {
    waiting.length = 0;
    watch.end();
  }
  const missing = [...pieces.entries()].filter(([at]) => !counted.has(at));
  const bounded = bounds(missing.map(([, piece]) => piece));
  const rest = new Map(missing.map(([at], place) => [at, bounded[place] ?? 0]));
  return pieces.map((_, at) => counted.get(at) ?? rest.get(at) ?? 0);
}

async function countOne(
  client: MessagesClient,
  piece: CountablePiece,
  options: Options,
  watch: Watch,
): Promise<Tokens> {
  const ask = async (request: InferRequest): Promise<Tokens> => {
    const call = { signal: watch.signal, maxRetries: 0, timeout: options.idleTimeout };
    const body = toCountBody(request, options);
    const { input_tokens } = await watch.hear(client.messages.countTokens(body, call));
    if (Number.isFinite(input_tokens) && input_tokens > 0) return Math.ceil(input_tokens);
    throw new Error('no count came');
  };
  const whole = alone(piece, options.maxOutput);
  if (piece.kind === 'tools' || whole.tools.length === 0) return ask(whole);
  // Tools were declared only because a call needs them: they are counted as a piece of their own.
  const [tokens, frame] = [await ask(whole), await ask({ ...whole, messages: [OPENER] })];
  return Math.max(1, tokens - frame);
}

function isEmpty(piece: CountablePiece): boolean {
  if (piece.kind === 'tools') return piece.tools.length === 0;
  return piece.kind === 'system' ? piece.text.trim() === '' : piece.message.parts.length === 0;
}

/** A request that holds the piece and is legal by itself. */
function alone(piece: CountablePiece, maxOutput: Tokens): InferRequest {
  const empty: InferRequest = { tools: [], system: '', messages: [OPENER], maxOutput };
  switch (piece.kind) {
    case 'tools':
      return { ...empty, tools: piece.tools };
    case 'system':
      return { ...empty, system: piece.text };
    case 'message':
      return {
        ...empty,
        tools: calledNames(piece.message.parts).map(standIn),
        messages: [OPENER, ...callersOf(piece.message), piece.message],
      };
  }
}

const OPENER: Message = { id: 'opener', role: 'user', at: 0, parts: [{ type: 'text', text: '.' }] };

function calledNames(parts: readonly Part[]): string[] {
  const names = parts.flatMap((part) =>
    part.type === 'call' || part.type === 'result' ? [legalName(part.name)] : [],
  );
  return [...new Set(names)];
}

function standIn(name: string): InferRequest['tools'][number] {
  return { name, description: '', parameters: { type: 'object' } };
}

/** Results are nothing without the calls that they answer. */
function callersOf(message: Message): Message[] {
  const calls = message.parts.flatMap((part): CallPart[] =>
    part.type === 'result' ? [{ type: 'call', callId: part.callId, name: part.name, arguments: '{}' }] : [],
  );
  return calls.length === 0 ? [] : [{ id: 'caller', role: 'assistant', at: 0, parts: calls }];
}
