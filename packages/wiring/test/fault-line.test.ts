import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { faultLine } from '../src/config/fault-line.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pagefault fault-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** What Node itself throws at the import: the test runner has an importer of its own. */
function thrownBy(path: string): Error {
  const script = `import(${JSON.stringify(pathToFileURL(path).href)}).catch(({ name, message, stack }) =>
    console.log(JSON.stringify({ name, message, stack })))`;
  const { name, ...rest } = JSON.parse(
    execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' }),
  ) as Error;
  return Object.assign(name === 'SyntaxError' ? new SyntaxError() : new Error(), rest);
}

describe('the line of a module that cannot be imported', () => {
  it.each([
    ['a syntax error', 'a.mjs', "export default {\n  apiKey: 'sk-1'\n  window: 1,\n};", 3],
    ['an end that is missing', 'b.mjs', 'export default {\n  a: 1,\n', 3],
    ['a syntax error of CommonJS', 'c.cjs', 'module.exports = {\n  a b\n};', 2],
    ['an export that is not there', 'd.mjs', "\nimport { nope } from 'node:fs';", 2],
    ['a failure when it runs', 'e.mjs', '\n\nexport default { a: missing };', 3],
    ['a failure in a path with signs', '#1 %.mjs', '\nexport default { a: missing };', 2],
  ])('is told for %s', async (_title, name, content, line) => {
    const path = file(name, content);
    expect(await faultLine(path, thrownBy(path))).toBe(line);
  });

  it('is not told when the mistake is in another module', async () => {
    file('other.mjs', '\n\nexport default {');
    const path = file('f.mjs', "import x from './other.mjs';\nexport default x;");
    expect(await faultLine(path, thrownBy(path))).toBeUndefined();
  });

  it('is not told of what is no error', async () => {
    expect(await faultLine(file('g.mjs', "throw 'no';"), 'no')).toBeUndefined();
  });
});
