/** What comes from outside, checked and made storable before anything is acknowledged. */
import type { Instant, Message, Role } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { isKernelId } from '../core/notices.js';
import { isBlank, normaliseText } from '../core/text.js';
import type { Limits } from '../limits.js';

/** The farthest that a date can be (ECMA-262, §21.4.1.1), in either direction. */
const LATEST_INSTANT = 8.64e15;

export interface IncomingMessage {
  readonly text: string;
  /** Default: minted. The same id is delivered once. 1 to 128 characters. */
  readonly id?: string;
  /** Default `user`. */
  readonly role?: Exclude<Role, 'tool'>;
  /** Who speaks. */
  readonly name?: string;
  /** The conversation session. */
  readonly session?: string;
  /** When it was said. Default now. */
  readonly at?: Instant;
}

export interface StopOptions {
  /** Stops the turn; the process goes on with the next message. */
  readonly signal?: AbortSignal;
}

export interface SendOptions extends StopOptions {
  /**
   * `steer`: a turn that is under way takes the message before its next cycle, and its result is the message's too. Default:
   * the message waits for the turn's end.
   */
  readonly delivery?: 'steer';
}

/** Errors: `E_INVALID` for an empty, blank or too long text, or an id that is none. */
export function toMessage(
  incoming: IncomingMessage,
  mintId: () => string,
  now: Instant,
  limits: Limits,
): Message {
  const { role = 'user', name, session, at = now } = incoming;
  const text = normaliseText(incoming.text);
  if (isBlank(text)) {
    throw new PagefaultError('E_INVALID', 'the message is empty: it has no visible character', {
      hint: 'say something',
    });
  }
  if (text.length > limits.messageCharacters) throw tooLong(text.length, limits.messageCharacters);
  if (!(Math.abs(at) <= LATEST_INSTANT))
    throw new PagefaultError('E_INVALID', `the time ${at} of the message is no instant`);
  return {
    id: incoming.id === undefined ? mintId() : checkedId(incoming.id),
    role,
    at,
    parts: [{ type: 'text', text }],
    ...(name !== undefined && name !== '' && { name: normaliseText(name).slice(0, 256).toWellFormed() }),
    ...(session !== undefined &&
      session !== '' && { session: normaliseText(session).slice(0, 256).toWellFormed() }),
  };
}

/** Errors: `E_INVALID`. */
export function checkedId(id: string): string {
  if (isKernelId(id)) {
    throw new PagefaultError('E_INVALID', `the id "${id}" is one that the kernel gives out itself`, {
      hint: 'use another id',
    });
  }
  if (id.length >= 1 && id.length <= 128 && normaliseText(id) === id) return id;
  throw new PagefaultError(
    'E_INVALID',
    `the id "${id.slice(0, 40)}" has ${id.length} characters or illegal ones`,
    {
      hint: 'use 1 to 128 well-formed characters, without NUL',
    },
  );
}

function tooLong(size: number, limit: number): PagefaultError {
  return new PagefaultError('E_INVALID', `the message has ${size} characters, the limit is ${limit}`, {
    hint: 'load long texts with `pagefault archive load`, or raise limits.messageCharacters',
  });
}
