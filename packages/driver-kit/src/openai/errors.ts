import { PagefaultError, type ErrorCode } from '@pagefault/contracts';
import { describeError } from '../redact.js';

/** What is read of an SDK error: by its fields and not by `instanceof`, so that any version's will do. */
interface Signs {
  readonly status: number | undefined;
  readonly code: string;
  readonly type: string;
  readonly message: string;
  readonly className: string;
}

interface Verdict {
  readonly code: ErrorCode;
  readonly retryable?: boolean;
  readonly hint: string;
}

/**
 * An error of the SDK, the network or the stream as one of ours. Its cause is a copy without headers,
 * body and secrets, so that it can be logged whole.
 */
export function fromOpenAIError(
  error: unknown,
  driver: string,
  secrets: readonly (string | undefined)[],
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

function signsOf(error: unknown): Signs {
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
  };
}

// OpenAI, vLLM, llama.cpp, LM Studio, LiteLLM and gateways before Anthropic, in this order.
const OVERFLOW =
  /maximum context length|exceeds? the (available )?context|context (length|window|size)|prompt is too long|input is too long|too many (input )?tokens/i;

function judge(signs: Signs): Verdict {
  if (isOverflow(signs))
    return { code: 'E_CONTEXT_OVERFLOW', hint: 'lower the option window to what the server really takes' };
  if (signs.code === 'content_filter' || signs.code === 'content_policy_violation')
    return { code: 'E_REFUSED', hint: "the provider's content filter declined the request" };
  return signs.status === undefined ? withoutStatus(signs) : byStatus(signs.status, signs);
}

function isOverflow({ status, code, type, message }: Signs): boolean {
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true;
  return (
    (status === undefined || status === 400 || status === 413 || status === 422) && OVERFLOW.test(message)
  );
}

function byStatus(status: number, signs: Signs): Verdict {
  if (status === 429) return rateLimit(signs);
  if (status === 401 || status === 403)
    return { code: 'E_AUTH', hint: 'check OPENAI_API_KEY or the option apiKey, and what the key may do' };
  if (status === 408)
    return { code: 'E_TIMEOUT', retryable: true, hint: 'the server gave up waiting: try again' };
  if (status === 409 || status >= 500)
    return { code: 'E_OVERLOADED', retryable: true, hint: 'try again later' };
  const hint =
    status === 404
      ? 'check the options model and baseURL'
      : 'the request is wrong as it is: sending it again would not help';
  return { code: 'E_REQUEST', hint };
}

function rateLimit({ code, type, message }: Signs): Verdict {
  if (code === 'insufficient_quota' || type === 'insufficient_quota')
    return { code: 'E_RATE_LIMITED', hint: 'the quota is used up: check plan and billing at the provider' };
  // The request alone is over the limit for a minute, so no wait helps.
  if (/request too large/i.test(message))
    return {
      code: 'E_RATE_LIMITED',
      hint: 'one request is over the limit for a minute: lower the option window, or raise the limit',
    };
  return { code: 'E_RATE_LIMITED', retryable: true, hint: 'wait, or raise the rate limit at the provider' };
}

/** Errors inside a stream of status 200, and those of the network. */
function withoutStatus(signs: Signs): Verdict {
  const { code, type, className, message } = signs;
  if (className === 'APIConnectionTimeoutError' || code === 'ETIMEDOUT')
    return {
      code: 'E_TIMEOUT',
      retryable: true,
      hint: 'the server did not answer in time: see the option deadline',
    };
  if (/rate_limit|insufficient_quota/.test(code + type)) return rateLimit(signs);
  if (type === 'invalid_request_error')
    return { code: 'E_REQUEST', hint: 'the request is wrong as it is: sending it again would not help' };
  if (className === 'SyntaxError')
    return { code: 'E_PROTOCOL', hint: 'the server sent what is not JSON: check the option baseURL' };
  const hint = /connection|fetch failed|ECONN|ENOTFOUND/i.test(message + code)
    ? 'check that the server of the option baseURL runs and can be reached, if need be through a proxy (see README)'
    : 'try again later';
  return { code: 'E_OVERLOADED', retryable: true, hint };
}
