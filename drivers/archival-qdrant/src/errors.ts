import { type ErrorCode, PagefaultError } from '@pagefault/contracts';
import { type ErrorSigns, judgedError, type Verdict } from '@pagefault/driver-kit';

export const NAME = 'qdrant';

export function refusal(code: ErrorCode, message: string, hint: string, cause?: unknown): PagefaultError {
  return new PagefaultError(code, message, { driver: NAME, hint, cause });
}

export function config(message: string, hint: string, cause?: unknown): PagefaultError {
  return refusal('E_CONFIG', `archival.qdrant.${message}`, hint, cause);
}

/**
 * An error of the SDK or the network as one of ours, in the server's own words, without headers and secrets. `place` is
 * where the server is, if that is known here.
 */
export function fromQdrantError(
  error: unknown,
  secrets: readonly (string | undefined)[],
  place?: string,
): PagefaultError {
  const ours = PagefaultError.is(error) ? error : inServersWords(error);
  return placed(judgedError(NAME, ours, secrets, judge), place);
}

const START = `${NAME}: `;

/** What the caller stopped is not about the server. */
function placed(error: PagefaultError, place: string | undefined): PagefaultError {
  const { code, message, cause, retryable } = error;
  if (place === undefined || code === 'E_ABORTED' || !message.startsWith(START)) return error;
  const hint =
    code === 'E_TIMEOUT' && error.hint !== undefined
      ? `check that the server of the option url runs; if it does, ${error.hint}`
      : error.hint;
  return new PagefaultError(code, `${NAME} at ${place}: ${message.slice(START.length)}`, {
    driver: NAME,
    cause,
    retryable,
    ...(hint !== undefined && { hint }),
  });
}

/** The status of the answer that an SDK's error is about. */
export function statusOf(error: unknown): number | undefined {
  const status = read(error, 'status');
  return typeof status === 'number' ? status : undefined;
}

/** What the server says: in its envelope, or as plain text. Undefined for the page of a proxy. */
export function serversWords(error: unknown): string | undefined {
  const data = read(error, 'data');
  const words = read(read(data, 'status'), 'error');
  if (typeof words === 'string') return words;
  return typeof data === 'string' && data !== '' && !data.includes('<') ? data : undefined;
}

// The SDK's message is the name of the status alone.
function inServersWords(error: unknown): unknown {
  const status = statusOf(error);
  if (status === undefined) return isMisread(error) ? noQdrant(error) : error;
  const message = serversWords(error) ?? (error instanceof Error ? error.message : '');
  return { message: message === '' ? `status ${status}` : message, status };
}

/** The SDK reads an answer without looking at it; the network's errors have a cause. */
function isMisread(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    error.cause === undefined &&
    /^Cannot read|^Cannot destructure/.test(error.message)
  );
}

function noQdrant(cause: unknown): PagefaultError {
  return refusal('E_PROTOCOL', `${START}the answer is none of Qdrant's`, NO_QDRANT, cause);
}

function judge(signs: ErrorSigns): Verdict {
  return signs.status === undefined ? judgeFailure(signs) : judgeAnswer(signs.status, signs.message);
}

const NO_QDRANT = 'what answers is no Qdrant, or a proxy broke its answer: check the option url';
const KEY_HINT = 'check the option apiKey, and what the key may do';
const TOO_LARGE = 'lower the option batchBytes below what the server or a proxy before it takes';

function judgeAnswer(status: number, message: string): Verdict {
  if (status === 401 || status === 403) return { code: 'E_AUTH', hint: KEY_HINT };
  if (status === 429) return RATE_LIMITED;
  if (status === 408) return { code: 'E_TIMEOUT', retryable: true, hint: 'the server gave up waiting' };
  if (status >= 500) return { code: 'E_OVERLOADED', retryable: true, hint: 'try again later' };
  if (status === 413 || /larger than allowed/.test(message)) return { code: 'E_STORAGE', hint: TOO_LARGE };
  if (status === 404) return { code: 'E_STORAGE', hint: GONE };
  return { code: 'E_STORAGE', hint: 'the server refuses the request as it is: see what it says' };
}

const GONE =
  'the collection is gone, or the option url misses a path: open the index again, which makes it anew';
const RATE_LIMITED: Verdict = {
  code: 'E_RATE_LIMITED',
  retryable: true,
  hint: 'wait, or raise the limit of the collection’s strict mode',
};

/** Without an answer; and where the SDK has kept nothing of it. */
function judgeFailure({ className, code, message }: ErrorSigns): Verdict {
  if (className === 'QdrantClientResourceExhaustedError' || /retryAfter/.test(message)) return RATE_LIMITED;
  if (className === 'QdrantClientTimeoutError' || code === 'ETIMEDOUT')
    return { code: 'E_TIMEOUT', retryable: true, hint: 'the server did not answer in time' };
  if (className === 'SyntaxError')
    return {
      code: 'E_PROTOCOL',
      hint: NO_QDRANT,
    };
  return {
    code: 'E_OVERLOADED',
    retryable: true,
    hint: 'check that the server of the option url runs and can be reached, if need be by the option proxy',
  };
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
