import type { PagefaultError } from '@pagefault/contracts';
import {
  type ErrorSigns,
  judgedError,
  saysTooLong,
  type Verdict,
  verdictByStatus,
  verdictWithoutStatus,
} from '../processor/sdk-error.js';

/** An error of the SDK, the network or the stream as one of ours, without headers, body and secrets. */
export function fromOpenAIError(
  error: unknown,
  driver: string,
  secrets: readonly (string | undefined)[],
): PagefaultError {
  return judgedError(driver, error, secrets, judge);
}

const KEY_HINT = 'check OPENAI_API_KEY or the option apiKey, and what the key may do';

function judge(signs: ErrorSigns): Verdict {
  const { status, code, type } = signs;
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error' || saysTooLong(signs))
    return { code: 'E_CONTEXT_OVERFLOW', hint: 'lower the option window to what the server really takes' };
  if (code === 'content_filter' || code === 'content_policy_violation')
    return { code: 'E_REFUSED', hint: "the provider's content filter declined the request" };
  if (status === 402)
    return { code: 'E_RATE_LIMITED', hint: 'the credit is used up: check plan and billing at the provider' };
  if (status === undefined) return withoutStatus(signs);
  return status === 429 ? rateLimit(signs) : verdictByStatus(status, KEY_HINT);
}

function rateLimit({ code, type, message }: ErrorSigns): Verdict {
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
function withoutStatus(signs: ErrorSigns): Verdict {
  return /rate_limit|insufficient_quota/.test(signs.code + signs.type)
    ? rateLimit(signs)
    : verdictWithoutStatus(signs);
}
