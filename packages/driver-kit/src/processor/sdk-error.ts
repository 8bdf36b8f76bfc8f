import { PagefaultError, type ErrorCode } from '@pagefault/contracts';
import { describeError } from '../redact.js';

/** What is read of an SDK error: by its fields and not by `instanceof`, so that any version's will do. */
export interface ErrorSigns {
  readonly status: number | undefined;
  readonly code: string;
  readonly type: string;
  readonly message: string;
  readonly className: string;
  /** What lies under it: the SDKs say no more than "Connection error." of the network. */
  readonly causes: string;
}

/** What an error means. */
export interface Verdict {
  readonly code: ErrorCode;
  readonly retryable?: boolean;
  readonly hint: string;
}

/**
 * An error of the SDK, the network or the stream as one of ours. Its cause is a copy without headers,
 * body and secrets, so that it can be logged whole.
 */
export function judgedError(
  driver: string,
  error: unknown,
  secrets: readonly (string | undefined)[],
  judge: (signs: ErrorSigns) => Verdict,
): PagefaultError {
  if (PagefaultError.is(error)) return error;
  const { code, retryable, hint } = judge(signsOf(error));
  const described = describeError(error, secrets);
  return new PagefaultError(code, `${driver}: ${described}`, {
    driver,
    hint,
    cause: new Error(described),
    retryable: retryable ?? false,
  });
}

function signsOf(error: unknown): ErrorSigns {
  const read = (key: string): unknown =>
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[key] : undefined;
  const text = (key: string): string => (typeof read(key) === 'string' ? (read(key) as string) : '');
  const status = read('status');
  return {
    status: typeof status === 'number' ? status : undefined,
    code: text('code'),
    type: text('type'),
    message: text('message'),
    className: error instanceof Error ? error.constructor.name : '',
    causes: causesOf(error),
  };
}

const MOST_CAUSES = 4;

function causesOf(error: unknown): string {
  const told: string[] = [];
  let current = error;
  // Counted by depth: causes can go round in a circle.
  for (let depth = 0; depth < MOST_CAUSES && current instanceof Error; depth += 1) {
    current = current.cause;
    if (current instanceof Error) told.push(current.message);
  }
  return told.join('; ');
}

/** The headers of the answer that an SDK's error is about. */
export function headerOf(error: unknown): (name: string) => string | null {
  const headers =
    typeof error === 'object' && error !== null && 'headers' in error ? error.headers : undefined;
  // By its method: with a fetch of another package they are not of Node's own class.
  if (typeof headers !== 'object' || headers === null || !('get' in headers)) return () => null;
  const { get } = headers;
  if (typeof get !== 'function') return () => null;
  return (name) => {
    const value: unknown = get.call(headers, name);
    return typeof value === 'string' ? value : null;
  };
}

// OpenAI, vLLM, llama.cpp, LM Studio, LiteLLM and gateways before Anthropic, in this order; then Anthropic
// itself, and what servers of embeddings say.
const OVERFLOW =
  /maximum context length|exceeds? the (available )?context|context (length|window|size)|prompt is too long|input is too long|too many (input )?tokens|exceed context limit|max \d+ tokens per request|must have less than \d+ tokens|maximum allowed batch size/i;

/** Whether a refusal is about the length of the request. */
export function saysTooLong({ status, message }: ErrorSigns): boolean {
  return (
    (status === undefined || status === 400 || status === 413 || status === 422) && OVERFLOW.test(message)
  );
}

/** Verdicts that are the same for every provider. `keyHint`: where the key comes from. */
export function verdictByStatus(status: number, keyHint: string): Verdict {
  if (status === 401 || status === 403) return { code: 'E_AUTH', hint: keyHint };
  if (status === 408)
    return { code: 'E_TIMEOUT', retryable: true, hint: 'the server gave up waiting: try again' };
  if (status === 409 || status >= 500)
    return { code: 'E_OVERLOADED', retryable: true, hint: 'try again later' };
  return { code: 'E_REQUEST', hint: status === 404 ? 'check the options model and baseURL' : WRONG };
}

export const WRONG = 'the request is wrong as it is: sending it again would not help';

/** Of errors inside a stream of status 200 and those of the network, what is the same for every provider. */
export function verdictWithoutStatus({ code, type, className, message, causes }: ErrorSigns): Verdict {
  if (/Proxy response \(407\)/.test(causes))
    return {
      code: 'E_AUTH',
      hint: 'the proxy wants other credentials: give them in the address of the option proxy',
    };
  if (className === 'APIConnectionTimeoutError' || code === 'ETIMEDOUT')
    return {
      code: 'E_TIMEOUT',
      retryable: true,
      hint: 'the server did not answer in time: see the option deadline',
    };
  if (type === 'invalid_request_error') return { code: 'E_REQUEST', hint: WRONG };
  if (className === 'SyntaxError')
    return { code: 'E_PROTOCOL', hint: 'the server sent what is not JSON: check the option baseURL' };
  const hint = /connection|fetch failed|ECONN|ENOTFOUND/i.test(message + code)
    ? 'check that the server of the option baseURL runs and can be reached, if need be by the option proxy'
    : 'try again later';
  return { code: 'E_OVERLOADED', retryable: true, hint };
}

/** A stream that ended in good order without saying why, so that what came may be only a part. */
export function endedEarly(driver: string, missing: string, heardAny: boolean): PagefaultError {
  const what = heardAny
    ? `the stream ended without a ${missing}`
    : 'the answer is no stream of events, or an empty one';
  return new PagefaultError('E_PROTOCOL', `${driver}: ${what}`, {
    driver,
    hint: heardAny
      ? 'the server or a proxy before it cut the answer: try again'
      : 'check the option baseURL: what answers there may be a web page, or a server that does not stream',
    retryable: true,
  });
}
