import { describe, expect, it } from 'vitest';
import { describeError, redact } from '../src/index.js';

describe('redaction (E12)', () => {
  it('takes out configured secrets, also as part of a URL', () => {
    const clean = redact('key p@ss/word and p%40ss%2Fword', ['p@ss/word', undefined]);
    expect(clean).toBe('key [redacted] and [redacted]');
  });

  it('takes out the longer of two secrets whole', () => {
    expect(redact('abcdefgh abcd', ['abcd', 'abcdefgh'])).toBe('[redacted] [redacted]');
  });

  it.each([
    'Incorrect API key provided: sk-proj-abc***********wxyz',
    'Incorrect API key provided: azure-ab********wxyz.',
    'authorization: Bearer abc.def.ghi',
    'postgres://user:secretpw@host/db refused',
    '{"api_key": "secretpw"}',
    'https://host/path?api-key=secretpw&x=1',
  ])('takes out what is shaped like a credential: %s', (text) => {
    expect(redact(text)).not.toMatch(/wxyz|abc\.def|secretpw/);
  });

  it('leaves ordinary text alone', () => {
    const text = 'The model gpt-4o at https://api.example.com/v1 said: too many tokens (max 4096).';
    expect(redact(text, ['', 'a'])).toBe(text);
  });
});

describe('the description of an error', () => {
  it('names message, status, code and causes on one line', () => {
    const cause = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('Connection\nerror.', { cause }), { status: 503 });
    expect(describeError(error)).toBe('Connection error. (503); cause: connect refused (ECONNREFUSED)');
  });

  it('never shows headers or bodies (E12)', () => {
    const headers = { authorization: 'Bearer topsecret' };
    const error = Object.assign(new Error('refused topsecret'), {
      headers,
      request: { headers },
      error: headers,
    });
    expect(describeError(error, ['topsecret'])).toBe('refused [redacted]');
  });

  it('ends although the causes go round in a circle', () => {
    const error = new Error('round');
    error.cause = error;
    expect(describeError(error)).toBe('round');
  });

  it.each([
    [undefined, 'undefined'],
    ['text', 'text'],
    [{}, 'object'],
    [new TypeError(), 'TypeError'],
  ])('describes %s', (thrown, line) => {
    expect(describeError(thrown)).toBe(line);
  });
});
