import {
  type CallPart,
  type CountablePiece,
  type InferRequest,
  type Message,
  type Milliseconds,
  PagefaultError,
  type Part,
  type Tokens,
} from '@pagefault/contracts';
import { startWatch, type Watch } from '../watch.js';
import { legalName } from './wire-names.js';

/** Requests to count that are under way at once: services limit them by the minute. */
const AT_ONCE = 4;

export interface ExactCount {
  readonly driver: string;
  readonly idleTimeout: Milliseconds;
  readonly deadline: Milliseconds;
  readonly callers: readonly AbortSignal[];
  /** For what could not be asked. */
  bounds(pieces: readonly CountablePiece[]): readonly Tokens[];
  /** The provider's count of one piece that is not empty. */
  countOne(piece: CountablePiece, watch: Watch): Promise<Tokens>;
  /** The first failure; all that is left gets upper bounds. Not: when the caller stopped it. */
  onFailure(error: unknown): void;
}

/**
 * The provider's own count of each piece, asked for in a request of its own, so that a few tokens of the frame come with
 * each. Where the provider cannot be asked, all that is left gets upper bounds: a count never fails.
 */
export async function countExactly(
  pieces: readonly CountablePiece[],
  { driver, idleTimeout: idle, deadline: left, callers, bounds, countOne, onFailure }: ExactCount,
): Promise<readonly Tokens[]> {
  const watch = startWatch({ driver, idle, left, callers });
  const counted = new Map<number, Tokens>();
  const waiting = [...pieces.entries()].filter(([, piece]) => !isEmpty(piece));
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      counted.set(next[0], await countOne(next[1], watch));
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    // What was counted until now is kept; bounds serve for the rest.
    if (!callers.some(({ aborted }) => aborted)) onFailure(error);
  } finally {
    waiting.length = 0;
    watch.end();
  }
  const missing = [...pieces.entries()].filter(([at]) => !counted.has(at));
  const bounded = bounds(missing.map(([, piece]) => piece));
  const rest = new Map(missing.map(([at], place) => [at, bounded[place] ?? 0]));
  return pieces.map((_, at) => counted.get(at) ?? rest.get(at) ?? 0);
}

/** Why upper bounds stand in for the provider's own counts. */
export function countsUnavailable(driver: string, why: PagefaultError | string): PagefaultError {
  const isError = PagefaultError.is(why);
  const said = isError ? why.message.replace(`${driver}: `, '') : why;
  return new PagefaultError(
    isError ? why.code : 'E_UNSUPPORTED',
    `${driver}: counting is exact, but ${said}`,
    {
      driver,
      hint: 'tokens are estimated from above instead, so pages leave a little early; if that is meant, set the option counting to bounds',
      ...(isError && { cause: why, retryable: why.retryable }),
    },
  );
}

/** Errors: for what is no count. */
export function toCount(reported: unknown): Tokens {
  if (typeof reported === 'number' && Number.isFinite(reported) && reported > 0) return Math.ceil(reported);
  throw new Error('no count came');
}

function isEmpty(piece: CountablePiece): boolean {
  if (piece.kind === 'tools') return piece.tools.length === 0;
  return piece.kind === 'system' ? piece.text.trim() === '' : piece.message.parts.length === 0;
}

/** What a piece is put behind, since a request needs a user's message. */
export const OPENER: Message = { id: 'opener', role: 'user', at: 0, parts: [{ type: 'text', text: '.' }] };

/** A request that holds the piece and is legal by itself. */
export function alone(piece: CountablePiece, maxOutput: Tokens): InferRequest {
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
