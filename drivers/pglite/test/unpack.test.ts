import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './folders.js';

interface Unpacking {
  unpack(tar: Uint8Array, root: string): void;
}

const worker = new URL('../worker/unpack.mjs', import.meta.url).href;
const { unpack } = (await import(worker)) as Unpacking;
const folder = temporaryFolder();
// Longer than the 100 bytes of the header's first field.
const LONG = join('base', 'd'.repeat(60), 'f'.repeat(60));

/** A tar of an empty file, one that fills its block, one that does not, and one with a long path. */
function archive(): Uint8Array {
  const from = join(folder, 'from');
  rmSync(from, { recursive: true, force: true });
  mkdirSync(join(from, 'base', 'd'.repeat(60)), { recursive: true });
  writeFileSync(join(from, 'empty'), '');
  writeFileSync(join(from, 'block'), Buffer.alloc(512, 1));
  writeFileSync(join(from, LONG), 'long');
  writeFileSync(join(from, 'part'), Buffer.from([0, 255, 10]));
  return execFileSync('tar', ['--format=ustar', '-cf', '-', '-C', from, 'empty', 'block', 'base', 'part']);
}

function emptyRoot(name: string): string {
  mkdirSync(join(folder, name));
  return join(folder, name);
}

describe('a seed that is unpacked', () => {
  it('gives each file with its bytes, for its user only', () => {
    const root = emptyRoot('whole');
    unpack(archive(), root);
    expect(readdirSync(root).toSorted()).toEqual(['base', 'block', 'empty', 'part']);
    expect(statSync(join(root, 'empty')).size).toBe(0);
    expect(readFileSync(join(root, 'block'))).toEqual(Buffer.alloc(512, 1));
    expect(readFileSync(join(root, 'part'))).toEqual(Buffer.from([0, 255, 10]));
    expect(readFileSync(join(root, LONG), 'utf8')).toBe('long');
    expect(statSync(join(root, LONG)).mode & 0o077).toBe(0);
    expect(statSync(join(root, 'base')).mode & 0o077).toBe(0);
  });

  it('overwrites nothing, and makes no root that is gone', () => {
    const root = emptyRoot('taken');
    writeFileSync(join(root, 'block'), "somebody else's");
    expect(() => unpack(archive(), root)).toThrow(/EEXIST/);
    expect(readFileSync(join(root, 'block'), 'utf8')).toBe("somebody else's");
    expect(() => unpack(archive(), join(folder, 'gone'))).toThrow(/ENOENT/);
    expect(readdirSync(folder)).not.toContain('gone');
  });
});
