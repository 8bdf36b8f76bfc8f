import { describe, expect, it } from 'vitest';
import { readAddress } from '../src/address.js';

const parts = (url: string): string => {
  const { origin, port, prefix } = readAddress(url);
  return `${origin}:${port}${prefix}`;
};

describe('the address of a Qdrant server', () => {
  it.each([
    ['https://q.example.com', 'https://q.example.com:443'],
    ['https://q.example.com:443', 'https://q.example.com:443'],
    ['https://q.example.com:6333', 'https://q.example.com:6333'],
    ['http://localhost', 'http://localhost:6333'],
    ['http://localhost:80', 'http://localhost:80'],
    ['http://[::1]:80/', 'http://[::1]:80'],
    ['http://[::1]', 'http://[::1]:6333'],
    ['qdrant://localhost', 'http://localhost:6333'],
    ['qdrant://10.0.0.1:7000/a/b/', 'http://10.0.0.1:7000/a/b'],
  ])('reads the port of %s as it is meant (E14)', (url, expected) => expect(parts(url)).toBe(expected));

  it('keeps the path that a proxy puts before the API (E15)', () => {
    expect(parts('http://h:6333/qdrant')).toBe('http://h:6333/qdrant');
    expect(parts('https://h/qdrant/')).toBe('https://h:443/qdrant');
  });

  it.each(['localhost:6333', 'ftp://h', 'http://', 'http://ada:pass-word@h', 'http://h?a=1', 'http://h/#x'])(
    'refuses %s, and says what to write',
    (url) => {
      expect(() => readAddress(url)).toThrow(
        expect.objectContaining({
          code: 'E_CONFIG',
          hint: expect.any(String),
          message: expect.not.stringContaining('pass-word'),
        }),
      );
    },
  );
});
