import { inspect } from 'node:util';
import { PagefaultError } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { toPagefaultError } from '../src/errors.js';

function sdkError(status: number | undefined, message: string, type?: string): Error {
  const headers = new Headers({ 'request-id': 'r1', authorization: 'Bearer sk-verysecretkey' });
  return Object.assign(new Error(message), { status, headers, type });
}

describe('an error of the provider', () => {
  it.each<[Error | string, string, boolean]>([
    [sdkError(400, 'prompt is too long: 208310 tokens > 200000 maximum'), 'E_CONTEXT_OVERFLOW', false],
    [
      sdkError(400, 'input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000'),
      'E_CONTEXT_OVERFLOW',
      false,
    ],
    [sdkError(413, 'Request exceeds the maximum size', 'request_too_large'), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(429, 'This request would exceed your rate limit', 'rate_limit_error'), 'E_RATE_LIMITED', true],
    [sdkError(undefined, 'slow down', 'rate_limit_error'), 'E_RATE_LIMITED', true],
    [sdkError(402, 'payment needed', 'billing_error'), 'E_RATE_LIMITED', false],
    [sdkError(400, 'Your credit balance is too low'), 'E_RATE_LIMITED', false],
    [sdkError(401, 'invalid x-api-key', 'authentication_error'), 'E_AUTH', false],
    [sdkError(403, 'no permission', 'permission_error'), 'E_AUTH', false],
    [sdkError(undefined, 'invalid x-api-key', 'authentication_error'), 'E_AUTH', false],
    [
      sdkError(400, 'messages: at least one message is required', 'invalid_request_error'),
      'E_REQUEST',
      false,
    ],
    [sdkError(undefined, 'bad', 'invalid_request_error'), 'E_REQUEST', false],
    [sdkError(404, 'model: claude-9', 'not_found_error'), 'E_REQUEST', false],
    [sdkError(400, 'Output blocked by content filtering policy'), 'E_REFUSED', false],
    [sdkError(408, 'Timeout'), 'E_TIMEOUT', true],
    [sdkError(409, 'Conflict'), 'E_OVERLOADED', true],
    [sdkError(500, 'Internal', 'api_error'), 'E_OVERLOADED', true],
    [sdkError(529, 'Overloaded', 'overloaded_error'), 'E_OVERLOADED', true],
    [sdkError(undefined, 'Overloaded', 'overloaded_error'), 'E_OVERLOADED', true],
    [new TypeError('terminated'), 'E_OVERLOADED', true],
    [new SyntaxError('Unexpected token'), 'E_PROTOCOL', false],
    ['nonsense', 'E_OVERLOADED', true],
  ])('%s becomes %s (C13 C18)', (error, code, retryable) => {
    expect(toPagefaultError(error, [])).toMatchObject({ code, retryable, driver: 'processor-anthropic' });
  });

  it('shows no key and no header, not even when it is printed whole (E12)', () => {
    const error = Object.assign(sdkError(401, 'invalid x-api-key: sk-ant-abcd1234, was my-own-secret'), {
      request: { headers: { authorization: 'Bearer my-own-secret' } },
    });
    const shown = inspect(toPagefaultError(error, ['my-own-secret']), { depth: 10, showHidden: true });
    expect(shown).toMatch('invalid x-api-key');
    expect(shown).not.toMatch(/my-own-secret|abcd1234|verysecret|request-id/);
  });

  it('says what to do, and stays as it is when it is one of ours already', () => {
    expect(toPagefaultError(sdkError(401, 'no'), []).hint).toMatch('ANTHROPIC_API_KEY');
    const own = new PagefaultError('E_TIMEOUT', 'late');
    expect(toPagefaultError(own, [])).toBe(own);
  });
});
