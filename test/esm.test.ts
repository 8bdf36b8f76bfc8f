/** Tests run from sources through tools that forgive much; what is published is run by Node alone. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { namedImportsOf } from './structure/named-imports.js';
import { packagesOf } from './structure/packages.js';
import { readRepository } from './structure/source.js';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Wanted {
  readonly from: string;
  /** One of the packages that import it: all have the same version. */
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

/** By module: what published code of any package takes from it by name. */
function wantedNames(): Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { folder, published } of packagesOf(readRepository(root)))
    for (const { from, names } of published.flatMap(({ text }) => namedImportsOf(text))) {
      const known = wanted.get(from) ?? { from, folder, names: new Set() };
      wanted.set(from, { ...known, names: new Set([...known.names, ...names]) });
    }
  return [...wanted.values()];
}

/** Those that plain Node does not find. */
async function missing({ from, folder, names }: Wanted): Promise<string[]> {
  const program = `import * as all from '${from}'; console.log(JSON.stringify(Object.keys(all)));`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: `${root}${folder}` });
  const there = JSON.parse(stdout) as string[];
  return [...names].filter((name) => !there.includes(name));
}

describe('the names that published code imports (E09)', () => {
  it('are read from imports of values, also late, re-exported or renamed, and not from types', () => {
    const text = [
      "import pg, { type PoolClient, Pool as P } from 'pg';",
      "import type { Client } from 'pg';",
      "export { z } from 'zod';",
      "const { default: OpenAI } = await import('openai');",
      "import { readFile } from 'node:fs/promises'; import { own } from './own.js';",
      "// import { Old } from 'old';",
    ].join('\n');
    expect(namedImportsOf(text)).toEqual([
      { from: 'pg', names: ['Pool'] },
      { from: 'zod', names: ['z'] },
      { from: 'openai', names: ['default'] },
    ]);
  });

  it.each(wantedNames())('are there for plain Node: $from', async (wanted) => {
    expect(await missing(wanted)).toEqual([]);
  });

  it('would be missed otherwise', async () => {
    const names = new Set(['Client', 'NoSuchName']);
    expect(await missing({ from: 'pg', folder: 'drivers/recall-postgres', names })).toEqual(['NoSuchName']);
  });
});
