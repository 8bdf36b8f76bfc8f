import { gzipSync } from 'node:zlib';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type ClassicOptions, readClassic } from '../../src/index.js';
import { useFolder } from '../support/imports.js';

const folder = useFolder();
const take = async (name: string, lines: readonly string[], options: ClassicOptions = {}) => {
  const { pages, distinct, sizes } = await readClassic(await folder.write(name, lines.join('\n')), options);
  return { pages: [...pages], distinct, ...(sizes && { sizes: [...sizes] }) };
};

describe('requests to disks, as of MSR Cambridge', () => {
  const row = (type: string, offset: number | string, size: number | string, disk = 0) =>
    `128166372003061629,prxy,${disk},${type},${offset},${size},6123`;

  it('are one for each block that they touch, of a size that one may choose', async () => {
    const rows = [row('Read', 1_024, 1_024), row('Write', 1_500, 10), row('Read', 2_048, 0)];
    expect(await take('prxy_0.csv', rows)).toEqual({ pages: [0, 1, 0], distinct: 2 });
    expect(await take('prxy_0.csv', rows, { blockBytes: 4_096 })).toEqual({ pages: [0, 0], distinct: 1 });
  });

  it('are of reads or of writes alone, when asked, and of volumes that are told apart', async () => {
    const rows = [row('Read', 0, 512), row('Write', 512, 512), row('Read', 0, 512, 1)];
    expect((await take('x.csv', rows, { operations: 'reads' })).pages).toEqual([0, 1]);
    expect((await take('x.csv', rows, { operations: 'writes' })).pages).toEqual([0]);
    expect((await take('x.csv', rows)).distinct).toBe(3);
  });

  it('may have a heading, a byte order mark, ends of lines as in Windows, empty lines, and be packed', async () => {
    const text = `\uFEFFTimestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime\r\n\r\n${row('Read', 0, 512)}\r\n`;
    await writeFile(folder.path('x.csv.gz'), gzipSync(text));
    expect((await readClassic(folder.path('x.csv.gz'))).pages).toHaveLength(1);
  });

  it.for([
    [row('Read', 'x', 512), /line 2, Offset: "x" is not a number of bytes/],
    [row('Read', 0, ''), /line 2, Size: "" is not a number of bytes/],
    [row('Read', 0, 2 ** 40), /line 2, Size: "1099511627776" is not at most/],
    [row('Erase', 0, 512), /line 2, Type: "Erase" is not Read or Write/],
    ['128166372003061629,prxy', /line 2, Type: "" is not Read or Write/],
  ] as const)('say what is wrong with %s', async ([wrong, message]) => {
    await expect(take('x.csv', [row('Read', 0, 512), wrong])).rejects.toThrow(message);
  });

  it('cannot be of blocks without a size', async () => {
    await expect(take('x.csv', [row('Read', 0, 512)], { blockBytes: 0 })).rejects.toMatchObject({
      code: 'E_CONFIG',
    });
  });
});

/** Packed as it is: one block that is not compressed. */
function zstd(text: string): Buffer {
  const body = Buffer.from(text);
  const block = (body.length << 3) | 1;
  return Buffer.concat([
    Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, body.length, block & 0xff, block >> 8, 0]),
    body,
  ]);
}

describe('requests to caches, as of Twitter', () => {
  const row = (key: string, operation: string, value = 10, keySize: number | string = 4) =>
    `0,${key},${keySize},${value},7,${operation},0`;

  it('are one for a key, with the size that it had first', async () => {
    const rows = [
      row('nz:u:a', 'get', 0),
      row('nz:u:a', 'set', 90),
      row('b,c', 'gets'),
      row('b,c', 'delete'),
    ];
    expect(await take('cluster52', rows)).toEqual({ pages: [0, 0, 1], distinct: 2, sizes: [4, 14] });
    expect(await take('cluster52', rows, { sizes: false })).toEqual({ pages: [0, 0, 1], distinct: 2 });
    expect((await take('cluster52', rows, { operations: 'reads' })).pages).toEqual([0, 1]);
  });

  it('are unpacked', async () => {
    await writeFile(folder.path('cluster52.0.zst'), zstd(`${row('a', 'get')}\n${row('a', 'get')}\n`));
    expect((await readClassic(folder.path('cluster52.0.zst'))).pages).toHaveLength(2);
  });

  it.for([
    [row('a', 'fetch'), /line 2, operation: "fetch" is not get, set or the like/],
    [row('a', 'get', 1, '?'), /line 2, key size: "\?" is not a number of bytes/],
    ['0,a,4', /line 2, operation: "" is not one of seven columns/],
  ] as const)('say what is wrong with %s', async ([wrong, message]) => {
    await expect(take('cluster52', [row('a', 'get'), wrong])).rejects.toThrow(message);
  });

  it('are not taken for another format: the error names the one that the file looks like', async () => {
    await expect(take('x.lis', [row('a', 'get')])).rejects.toMatchObject({
      hint: 'it looks like the format twitter',
    });
    await expect(take('x.csv', ['1,2,3'])).rejects.toMatchObject({
      code: 'E_CONFIG',
      hint: expect.stringContaining('lirs') as string,
    });
    expect(await take('empty.lis', [])).toEqual({ pages: [], distinct: 0 });
  });
});
