import { describe, expect, it } from 'vitest';
import { changesOf, differences, type Manifest, readManifest } from '../../src/index.js';

const manifest: Manifest = {
  pagefault: 'lab manifest',
  v: 1,
  program: '0.1.0',
  command: 'curve',
  request: { command: 'curve' },
  traces: [{ id: 'weekly', path: 'weekly.jsonl', sha256: 'a'.repeat(64) }],
  policies: [
    { name: 'lru', version: 1 },
    { name: 'mine', version: 1, path: 'mine.ts', sha256: 'b'.repeat(64) },
    { name: 'memgpt-queue', version: 1, setup: { targetShare: 0.5 } },
  ],
  setup: {},
  seed: 1,
  prices: { model: 'claude-sonnet-5-5', asOf: '2026-11-05', rates: { input: 2 } },
  tables: { rows: 'c'.repeat(64) },
  files: ['rows.csv'],
};
const withPolicy = (at: number, change: Partial<Manifest['policies'][number]>): Manifest => ({
  ...manifest,
  policies: manifest.policies.map((policy, n) => (n === at ? { ...policy, ...change } : policy)),
});

describe('a manifest', () => {
  it('is read as it was written', () => {
    expect(readManifest(JSON.stringify(manifest), 'm.json')).toEqual(manifest);
  });

  it.each([
    ['not JSON', '{', /field pagefault/],
    ["another program's", '{"name":"x"}', /field pagefault/],
    ['one of another version', JSON.stringify({ ...manifest, v: 2 }), /field v/],
    [
      'one with a hash that is none',
      JSON.stringify({ ...manifest, tables: { rows: 'x' } }),
      /field tables\.rows/,
    ],
  ])('is refused when it is %s, naming the field', (_, text, message) => {
    expect(() => readManifest(text, 'm.json')).toThrow(
      expect.objectContaining({ code: 'E_INVALID', message: expect.stringMatching(message) }),
    );
  });

  it('names nothing when nothing has changed', () => {
    expect(changesOf(manifest, manifest)).toEqual([]);
  });

  it.each<[string, Manifest, RegExp]>([
    [
      'a trace',
      { ...manifest, traces: [{ id: 'weekly', path: 'weekly.jsonl', sha256: 'f'.repeat(64) }] },
      /the trace weekly has changed/,
    ],
    [
      'a policy that ships',
      withPolicy(0, { version: 2 }),
      /the policy lru has changed: it was of version 1, and is of 2/,
    ],
    [
      "a module of one's own",
      withPolicy(1, { sha256: 'f'.repeat(64) }),
      /the policy mine has changed: the SHA-256/,
    ],
    ['a scheme', withPolicy(2, { setup: { targetShare: 0.7 } }), /the scheme memgpt-queue has changed/],
    [
      'the prices',
      { ...manifest, prices: { ...manifest.prices, asOf: '2026-12-01' } },
      /as of 2026-11-05, and are as of 2026-12-01/,
    ],
    ['the program', { ...manifest, program: '0.2.0' }, /it was 0\.1\.0, and is 0\.2\.0/],
  ])('names %s that has changed', (_, now, message) => {
    expect(changesOf(manifest, now)).toEqual([expect.stringMatching(message)]);
  });

  it('tells the rows that differ, the old one and the new one, and how many more there are', () => {
    expect(differences('h\n1\n2', 'h\n1\n3')).toEqual(['row 2 was 2', 'row 2 is  3']);
    expect(differences('h\n1', 'h\n1\n3')).toEqual(['row 2 was not there', 'row 2 is  3']);
    expect(differences('1\n2\n3', '4\n5\n6', 1).at(-1)).toBe('and 2 rows more');
  });
});
