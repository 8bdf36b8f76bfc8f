import type { CountablePiece, InferRequest, PagefaultError, Tokens } from '@pagefault/contracts';
import {
  alone,
  countExactly as countByAsking,
  countsUnavailable,
  OPENER,
  secretsOf,
  toCount,
  type Watch,
} from '@pagefault/driver-kit';
import type { MessagesClient } from './api.js';
import type { Bounds } from './bounds.js';
import { toPagefaultError } from './errors.js';
import { DRIVER_NAME, type Options } from './options.js';
import { toCountBody } from './request.js';

/** By `count_tokens`. */
export function countExactly(
  client: MessagesClient,
  pieces: readonly CountablePiece[],
  options: Options,
  bounds: Bounds,
  callers: readonly AbortSignal[],
  onBounds: ((why: PagefaultError) => void) | undefined,
): Promise<readonly Tokens[]> {
  const countOne = (piece: CountablePiece, watch: Watch) => countPiece(client, piece, options, watch);
  const { idleTimeout, deadline } = options;
  const onFailure = (error: unknown): void =>
    onBounds?.(countsUnavailable(DRIVER_NAME, toPagefaultError(error, secretsOf(options))));
  const settings = { driver: DRIVER_NAME, idleTimeout, deadline, callers, bounds, countOne, onFailure };
  return countByAsking(pieces, settings);
}

async function countPiece(
  client: MessagesClient,
  piece: CountablePiece,
  options: Options,
  watch: Watch,
): Promise<Tokens> {
  const ask = async (request: InferRequest): Promise<Tokens> => {
    const call = { signal: watch.signal, maxRetries: 0, timeout: options.idleTimeout };
    const body = toCountBody(request, options);
    return toCount((await watch.hear(client.messages.countTokens(body, call))).input_tokens);
  };
  const whole = alone(piece, options.maxOutput);
  if (piece.kind === 'tools' || whole.tools.length === 0) return ask(whole);
  // Tools were declared only because a call needs them: they are counted as a piece of their own.
  const [tokens, frame] = [await ask(whole), await ask({ ...whole, messages: [OPENER] })];
  return Math.max(1, tokens - frame);
}
