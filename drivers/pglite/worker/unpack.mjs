// Unpacks a seed by Node's own files. PGlite would do it inside WebAssembly, with its own file layer between: that
// takes twice as long as all the rest of a first open.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK = 512;
const FOLDER = '5';

/**
 * Nothing that is there is overwritten, and no folder is made but those of the archive: when the root goes meanwhile,
 * this fails. Errors: the operating system's own.
 * @param {Uint8Array} tar files and folders, each folder before what is in it
 * @param {string} root a folder that is there
 */
export function unpack(tar, root) {
  for (const { path, type, bytes } of entriesOf(tar)) {
    if (type === FOLDER) mkdirSync(join(root, path), { mode: 0o700 });
    else writeFileSync(join(root, path), bytes, { flag: 'wx', mode: 0o600 });
  }
}

// POSIX ustar, pax(1): a header of one block with fixed fields, then the content, filled up to whole blocks; zeros at the end.
function* entriesOf(tar) {
  const buffer = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  for (let at = 0; at < buffer.length && buffer[at] !== 0;) {
    const field = (offset, length) => textOf(buffer.subarray(at + offset, at + offset + length));
    const size = Number.parseInt(field(124, 12), 8);
    const begin = at + BLOCK;
    const path = join(field(345, 155), field(0, 100));
    yield { path, type: field(156, 1), bytes: buffer.subarray(begin, begin + size) };
    at = begin + Math.ceil(size / BLOCK) * BLOCK;
  }
}

// Fields end at the first NUL.
function textOf(field) {
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end === -1 ? field.length : end);
}
