import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseOptions } from '../src/index.js';

const schema = z.strictObject({
  dataDir: z.string().default('here'),
  inner: z.strictObject({ size: z.int().optional() }).optional(),
});

test('options get their defaults', () => {
  expect(parseOptions('disk', schema, {})).toEqual({ dataDir: 'here' });
});

test.each([
  [{ dataDirr: 'x' }, 'disk.dataDirr: unknown key; did you mean "dataDir"?'],
  [{ colour: 'x' }, 'disk.colour: unknown key; known: dataDir, inner'],
  [{ inner: { sise: 1 } }, 'disk.inner.sise: unknown key'],
  [
    { dataDir: 1, x: 2 },
    'disk.dataDir: Invalid input: expected string, received number; disk.x: unknown key',
  ],
])('%j is refused with the path, and the nearest right key (E01)', (input, message) => {
  const refusal = expect.objectContaining({ code: 'E_CONFIG', message: expect.stringContaining(message) });
  expect(() => parseOptions('disk', schema, input)).toThrow(refusal);
});
