import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeProblem, parseWith } from '../src/index.js';

const schema = z
  .strictObject({
    window: z
      .preprocess((given) => (given === 'few' ? 300 : given), z.int().min(512).max(100_000_000))
      .default(8192)
      .describe('Tokens; all of them.'),
    maxOutput: z.int().min(16).default(16).describe('Tokens of one reply.'),
    attempts: z.int().min(1).optional(),
    share: z.number().gt(0).lte(1).default(1),
    least: z.number().gt(0).default(1),
    margin: z.number().min(0).lte(0.5).default(0).describe('A share.'),
    model: z.string().min(1).default('m'),
    note: z.string().default(''),
    isOn: z.boolean().default(true),
    runtime: z.enum(['auto', 'onnx', 'plain']).default('auto'),
    url: z.url({ protocol: /^https?$/, error: 'expected an http or https address' }).default('http://h'),
    schema: z
      .string()
      .regex(/^[a-z]+$/, 'must be lower-case letters')
      .default('x'),
    extra: z
      .record(z.string(), z.json())
      .default({})
      .refine((body) => !('n' in body), 'may not set n'),
    names: z.record(z.string().min(1), z.boolean()).default({}),
    list: z.array(z.strictObject({ size: z.int().max(9) })).default([]),
    sql: z.custom<object>((value) => value === undefined, 'must be a SqlPort').optional(),
    driver: z.union([z.string(), z.strictObject({ name: z.string() })]).default('x'),
    apiKey: z.string().min(40).default('k'),
    headers: z.record(z.string(), z.string()).default({}),
    connectionString: z.url().default('http://h'),
    password: z.enum(['a', 'b']).default('a'),
  })
  .refine(({ window, maxOutput }) => maxOutput < window, {
    message: 'must be below window',
    path: ['maxOutput'],
  });

const problemsOf = (input: unknown) =>
  parseWith(schema, input).issues.map((issue) => describeProblem(issue, schema));

const WINDOW = 'it must be a whole number of tokens from 512 to 100,000,000';

test.each<[object, string]>([
  [{ window: 400 }, `400 is too small; ${WINDOW}`],
  [{ window: 'few' }, `300 is too small; ${WINDOW}`],
  [{ window: 1e9 }, `1000000000 is too large; ${WINDOW}`],
  [{ window: 600.5 }, `600.5 is not allowed; ${WINDOW}`],
  [{ window: '4k' }, `"4k" is not allowed; ${WINDOW}`],
  [{ window: Number.NaN }, `NaN is not allowed; ${WINDOW}`],
  [{ window: null }, `null is not allowed; ${WINDOW}`],
  [{ maxOutput: 1 }, '1 is too small; it must be a whole number of tokens, at least 16'],
  [{ attempts: 0 }, '0 is too small; it must be a whole number of at least 1'],
  [{ share: 0 }, '0 is too small; it must be a number above 0 and at most 1'],
  [{ share: 2 }, '2 is too large; it must be a number above 0 and at most 1'],
  [{ least: -1 }, '-1 is too small; it must be a number above 0'],
  [{ margin: 0.6 }, '0.6 is too large; it must be a number from 0 to 0.5'],
  [{ model: '' }, 'empty; it must be text that is not empty'],
  [{ model: 3 }, '3 is not allowed; it must be text that is not empty'],
  [{ note: ['x'] }, 'a list is not allowed; it must be text'],
  [{ isOn: 'yes' }, '"yes" is not allowed; it must be true or false'],
  [{ runtime: 'fast' }, '"fast" is not allowed; it must be "auto", "onnx" or "plain"'],
  [{ url: 'ftp://ada:pw@h' }, '"ftp://[redacted]@h" is not allowed; it must be an http or https address'],
  [{ schema: 'A' }, '"A" is not allowed; it must be lower-case letters'],
  [
    { extra: { a: () => 1 } },
    'a function is not allowed; it must be text, a number, true or false, null, a list or an object',
  ],
  [{ extra: { n: 1 } }, 'may not set n'],
  [{ names: { '': true } }, '"" is not allowed as a name; it must be text that is not empty'],
  [{ list: [{ size: 10 }] }, '10 is too large; it must be a whole number of at most 9'],
  [{ list: [{}] }, 'missing; it must be a whole number of at most 9'],
  [{ list: {} }, 'an object is not allowed; it must be a list'],
  [{ sql: 3 }, '3 is not allowed; it must be a SqlPort'],
  [{ driver: 3 }, '3 is not allowed; it must be text or an object'],
  [{ maxOutput: 9000 }, 'must be below window'],
])('%j is told with what is given and what is allowed', (input, problem) => {
  expect(problemsOf(input)).toEqual([problem]);
});

test.each<[object, string]>([
  [{ apiKey: 'hunter2' }, 'the value is too short; it must be text of at least 40 characters'],
  [{ headers: { 'x-gate': 12_345 } }, 'the value is not allowed; it must be text'],
  [{ connectionString: 'hunter2' }, 'the value is not allowed; it must be a valid url'],
  [{ password: 'hunter2' }, 'the value is not allowed; it must be "a" or "b"'],
])('of %j no secret is told', (input, problem) => {
  expect(problemsOf(input)).toEqual([problem]);
});

test('what stands before the values counts for secrets too', () => {
  const word = z.int();
  const [issue] = parseWith(word, 'hunter2').issues;
  expect(issue && describeProblem(issue, word, ['headers'])).toBe(
    'the value is not allowed; it must be a whole number',
  );
});

test('a long text is cut', () => {
  expect(problemsOf({ isOn: 'y'.repeat(5000) })[0]?.length).toBeLessThan(150);
});
