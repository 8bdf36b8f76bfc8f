import { describe, expect, it } from 'vitest';
import { isMisread, placeOf, withStrictTls } from '../src/pg-address.js';

describe('the place in messages', () => {
  it.each([
    ['postgres://ada:s3cret@db:5432/agents?sslmode=require', 'postgres://db:5432/agents'],
    ['postgres://ada:s3%40cret@[::1]:5432/a%20b', 'postgres://[::1]:5432/a%20b'],
    ['postgres:///agents', 'postgres://localhost/agents'],
    [
      'postgres:///agents?host=/run/pg&port=5433&password=s3cret',
      'postgres:///agents?host=/run/pg&port=5433',
    ],
    [
      'postgres:///agents?user=ada&password=s3@cret&host=/run/pg',
      'postgres:///agents?host=/run/pg&port=5432',
    ],
    ['host=db password=s3cret', 'the given connectionString'],
    [undefined, 'the given pool'],
  ])('of %s is %s', (connectionString, place) => {
    expect(placeOf(connectionString)).toBe(place);
    expect(isMisread(connectionString ?? '')).toBe(false);
  });

  it.each(['hunt@er/2s3cret', '12/s3cret', '12?s3cret', '12#s3cret', 'a?b/c#s3cret'])(
    'holds no piece of the password %s, which is not percent-encoded',
    (password) => {
      const connectionString = `postgres://ada:${password}@db:5432/agents`;
      expect(isMisread(connectionString)).toBe(true);
      expect(placeOf(connectionString)).toBe('the given connectionString');
    },
  );
});

describe('the mode of TLS', () => {
  it.each([
    ['postgres://db/a?sslmode=require', 'postgres://db/a?sslmode=verify-full'],
    ['postgres://db/a?x=1&sslmode=prefer&y=2', 'postgres://db/a?x=1&sslmode=verify-full&y=2'],
    ['postgres://db/a?sslmode=verify-ca', 'postgres://db/a?sslmode=verify-full'],
    ['postgres://db/a?sslmode=no-verify', 'postgres://db/a?sslmode=no-verify'],
    [
      'postgres://db/a?uselibpqcompat=true&sslmode=require',
      'postgres://db/a?uselibpqcompat=true&sslmode=require',
    ],
  ])('of %s is given to pg as %s: the same, without a warning at every start', (given, told) => {
    expect(withStrictTls(given)).toBe(told);
  });
});
