import { inspect } from 'node:util';
import { PagefaultError } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { fromOpenAIError } from '../src/index.js';

function sdkError(status: number | undefined, message: string, more: object = {}): Error {
  const headers = new Headers({ 'x-request-id': 'r1', authorization: 'Bearer sk-verysecretkey' });
  return Object.assign(new Error(message), { status, headers, ...more });
}

const OVERFLOW = "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens";

describe('an error of the provider', () => {
  it.each([
    [sdkError(400, OVERFLOW, { code: 'context_length_exceeded' }), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(400, OVERFLOW), 'E_CONTEXT_OVERFLOW', false],
    [
      sdkError(undefined, 'Your input exceeds the context window of this model.'),
      'E_CONTEXT_OVERFLOW',
      false,
    ],
    [
      sdkError(400, 'the request exceeds the available context size', { type: 'exceed_context_size_error' }),
      'E_CONTEXT_OVERFLOW',
      false,
    ],
    [sdkError(413, 'prompt is too long: 210000 tokens > 200000 maximum'), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(400, 'Requested 412000 tokens, max 300000 tokens per request'), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(413, '`inputs` must have less than 512 tokens. Given: 600'), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(422, 'batch size 64 > maximum allowed batch size 32'), 'E_CONTEXT_OVERFLOW', false],
    [sdkError(429, 'Rate limit reached', { code: 'rate_limit_exceeded' }), 'E_RATE_LIMITED', true],
    [
      sdkError(429, 'You exceeded your current quota', { code: 'insufficient_quota' }),
      'E_RATE_LIMITED',
      false,
    ],
    [sdkError(429, 'Request too large for gpt-4o on tokens per min (TPM)'), 'E_RATE_LIMITED', false],
    [sdkError(401, 'Incorrect API key provided'), 'E_AUTH', false],
    [sdkError(403, 'Country not supported'), 'E_AUTH', false],
    [sdkError(400, 'Invalid value'), 'E_REQUEST', false],
    [sdkError(404, 'The model does not exist'), 'E_REQUEST', false],
    [sdkError(422, 'Unprocessable'), 'E_REQUEST', false],
    [sdkError(408, 'Timeout'), 'E_TIMEOUT', true],
    [sdkError(409, 'Conflict'), 'E_OVERLOADED', true],
    [sdkError(500, 'Internal'), 'E_OVERLOADED', true],
    [sdkError(503, 'Overloaded'), 'E_OVERLOADED', true],
    [sdkError(529, 'Overloaded'), 'E_OVERLOADED', true],
    [sdkError(undefined, 'Overloaded', { type: 'overloaded_error' }), 'E_OVERLOADED', true],
    [sdkError(undefined, 'slow down', { code: 'rate_limit_exceeded' }), 'E_RATE_LIMITED', true],
    [sdkError(undefined, 'bad', { type: 'invalid_request_error' }), 'E_REQUEST', false],
    [sdkError(400, 'filtered', { code: 'content_filter' }), 'E_REFUSED', false],
    [new TypeError('terminated'), 'E_OVERLOADED', true],
    [new SyntaxError('Unexpected token'), 'E_PROTOCOL', false],
    ['nonsense', 'E_OVERLOADED', true],
  ])('%s becomes %s (C18)', (error, code, retryable) => {
    expect(fromOpenAIError(error, 'a-driver', [])).toMatchObject({ code, retryable, driver: 'a-driver' });
  });

  it('shows no key and no header, not even when it is printed whole (E12)', () => {
    const error = sdkError(401, 'Incorrect API key provided: sk-abcd********wxyz, was my-own-secret', {
      request: { headers: { authorization: 'Bearer my-own-secret' } },
    });
    const shown = inspect(fromOpenAIError(error, 'a-driver', ['my-own-secret']), {
      depth: 10,
      showHidden: true,
    });
    expect(shown).toMatch('Incorrect API key');
    expect(shown).not.toMatch(/my-own-secret|wxyz|verysecret|x-request-id/);
  });

  it('has a hint that says what to do, and a cause', () => {
    const error = fromOpenAIError(sdkError(404, 'no such model'), 'a-driver', []);
    expect(error.hint).toMatch(/model and baseURL/);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('stays as it is when it is one of ours already', () => {
    const own = new PagefaultError('E_TIMEOUT', 'late');
    expect(fromOpenAIError(own, 'a-driver', [])).toBe(own);
  });
});
