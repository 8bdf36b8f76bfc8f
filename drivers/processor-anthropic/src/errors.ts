import type { PagefaultError } from '@pagefault/contracts';
import {
  type ErrorSigns,
  judgedError,
  saysTooLong,
  type Verdict,
  verdictByStatus,
  verdictWithoutStatus,
} from '@pagefault/driver-kit';
import { DRIVER_NAME } from './options.js';

/** An error of the SDK, the network or the stream as one of ours, without headers, body and secrets. */
export function toPagefaultError(error: unknown, secrets: readonly (string | undefined)[]): PagefaultError {
  return judgedError(DRIVER_NAME, error, secrets, judge);
}

const KEY_HINT = 'check ANTHROPIC_API_KEY or the option apiKey, and what the key may do';

/** The status that a kind of error has when it comes as an answer and not inside a stream of status 200. */
const STATUS_OF: Readonly<Record<string, number>> = {
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  timeout_error: 408,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

function judge(signs: ErrorSigns): Verdict {
  const status = signs.status ?? STATUS_OF[signs.type];
  if (saysTooLong(signs) || status === 413)
    return { code: 'E_CONTEXT_OVERFLOW', hint: 'lower the option window to what the server really takes' };
  if (/content filtering policy/i.test(signs.message))
    return { code: 'E_REFUSED', hint: "the provider's content filter declined the request" };
  if (status === 402 || /credit balance|spend limit/i.test(signs.message))
    return { code: 'E_RATE_LIMITED', hint: 'the credit is used up: check plan and billing at the provider' };
  if (status === 429)
    return { code: 'E_RATE_LIMITED', retryable: true, hint: 'wait, or raise the rate limit at the provider' };
  return status === undefined ? verdictWithoutStatus(signs) : verdictByStatus(status, KEY_HINT);
}
