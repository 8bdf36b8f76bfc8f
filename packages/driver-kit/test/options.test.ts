import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseOptions } from '../src/index.js';

const schema = z.strictObject({
  dataDir: z.string().default('here'),
  inner: z.strictObject({ size: z.int().max(9).optional() }).optional(),
});

test('options get their defaults', () => {
  expect(parseOptions('disk', schema, {})).toEqual({ dataDir: 'here' });
});

test.each([
  [{ dataDirr: 'x' }, 'disk.dataDirr: unknown key; did you mean "dataDir"?'],
  [{ colour: 'x' }, 'disk.colour: unknown key; known: dataDir, inner'],
  [
    { inner: { size: 1e300 } },
    'disk.inner.size: 1e+300 is too large; it must be a whole number of at most 9',
  ],
  [{ inner: { sise: 1 } }, 'disk.inner.sise: unknown key'],
  [
    { dataDir: 1, x: 2 },
    'disk.dataDir: 1 is not allowed; it must be text; disk.x: unknown key; known: dataDir, inner',
  ],
])('%j is refused with the path, and the nearest right key (E01)', (input, message) => {
  const refusal = expect.objectContaining({ code: 'E_CONFIG', message });
  expect(() => parseOptions('disk', schema, input)).toThrow(refusal);
});
