import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ObjectText, readObjects } from '../../src/importers/objects.js';
import { useFolder } from '../support/imports.js';

describe('objects of a file', () => {
  const folder = useFolder();
  const read = async (text: string) => {
    const found: ObjectText[] = [];
    for await (const one of readObjects(await folder.write('x.json', text))) found.push(one);
    return found;
  };
  const values = async (text: string) => (await read(text)).map((one) => JSON.parse(one.text) as unknown);

  it('are those of an array or those of JSON lines, whatever is in them', async () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(fc.array(object), fc.constantFrom(undefined, 2), async (given, indent) => {
        const whole = JSON.parse(JSON.stringify(given)) as unknown;
        expect(await values(JSON.stringify(given, undefined, indent))).toEqual(whole);
        expect(await values(given.map((one) => JSON.stringify(one, undefined, indent)).join('\r\n'))).toEqual(
          whole,
        );
      }),
      { numRuns: 60 },
    );
  });

  it('are told with the line where they begin', async () => {
    const found = await read('\uFEFF[\n {"a":"{"},\n\n {"b":\n[1]} ]\n');
    expect(found.map(({ line, number }) => [line, number])).toEqual([
      [2, 1],
      [4, 2],
    ]);
  });

  it('are none in an empty file or list, and go over pieces of a packed file', async () => {
    expect(await values('')).toEqual([]);
    expect(await values(' \n')).toEqual([]);
    expect(await values('[]')).toEqual([]);
    const long = { text: '€"\\{'.repeat(60_000) };
    await writeFile(folder.path('y.json.gz'), gzipSync(JSON.stringify([long, long])));
    let count = 0;
    for await (const { text } of readObjects(folder.path('y.json.gz'))) {
      expect(JSON.parse(text)).toEqual(long);
      count++;
    }
    expect(count).toBe(2);
  });

  it.for([
    ['[{"a":1},\n{"b":', 'line 2, after object 1: the file ends amid an object that is cut off'],
    ['[{"a":"x', 'line 1, after object 0: the file ends amid an object that is cut off'],
    ['[{"a":1},\n', 'line 2, after object 1: the file ends amid a list that is cut off'],
    ['[1]', 'line 1, after object 0: the file is no object, nor a list of objects'],
    ['a,b\n', 'line 1, after object 0: the file is no object, nor a list of objects'],
    ['[{}]\n[{}]', 'line 2, after object 1: the file is no object, nor a list of objects'],
  ] as const)('of %j are refused', async ([text, why]) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'E_TRACE', message: `x.json, ${why}` });
  });

  it('come one by one: those before a place that is broken were there already', async () => {
    const found: string[] = [];
    const all = async () => {
      for await (const { text } of readObjects(await folder.write('z.json', '[{"a":1},{"a":2},oops')))
        found.push(text);
    };
    await expect(all()).rejects.toThrow(/after object 2/);
    expect(found).toEqual(['{"a":1}', '{"a":2}']);
  });
});
