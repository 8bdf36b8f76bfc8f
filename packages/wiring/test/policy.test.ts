import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { POLICIES, rerun } from '@pagefault/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadPolicy, start } from '../src/index.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pagefault-policy-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const methods = `
  configure() {},
  onBirth(page) { pages.push(page); },
  onNeed() {},
  onResidency(id, now) { if (now === 'evicted') pages = pages.filter((page) => page.id !== id); },
  victims({ isEligible }) { return pages.map(({ id }) => id).filter(isEligible).reverse().slice(0, 8); },
  snapshot: () => new Uint8Array(),
  restore: () => false,`;

/** The newest pages go first. */
const mine = (id = 'mine') => `export default () => {
  let pages = [];
  return { id: '${id}', version: 1, ${methods} };
};`;

async function file(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

const inMemory = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };

describe('a policy of your own', () => {
  it('runs by its path, relative to the configuration file, under its own name; its recordings run again', async () => {
    await mkdir(join(folder, 'settings'));
    await file('settings/mine.mjs', mine());
    const settings = { ...inMemory, policy: './mine.mjs', window: 4_096, record: '../records' };
    const configFile = await file('settings/pagefault.config.json', JSON.stringify(settings));
    const machine = await start({ cwd: tmpdir(), env: {}, configFile });
    expect(machine.config.policy).toBe(join(folder, 'settings/mine.mjs'));
    const agent = await machine.kernel.spawn({ name: 'ada' });
    const evicted: number[] = [];
    machine.kernel.bus.on('reclaim', ({ victims }) => evicted.push(...victims));
    const filler = Array.from({ length: 150 }, (_, n) => ({ text: `Filler ${n}: rain again in Cork.` }));
    await agent.append(filler);
    expect((await agent.map()).policy).toBe('mine');
    expect((await machine.kernel.inspect(agent.pid)).policy).toBe('mine');
    await machine.close();
    expect(evicted.length).toBeGreaterThan(8);
    expect(evicted.slice(0, 8)).toEqual(evicted.slice(0, 8).toSorted((a, b) => b - a));

    const [name = ''] = await readdir(join(folder, 'records'));
    const lines = (await readFile(join(folder, 'records', name), 'utf8')).split('\n');
    const policies = [await loadPolicy('./mine.mjs', join(folder, 'settings'))];
    const report = await rerun(lines, { policies });
    expect(report).toMatchObject({ evicted: evicted.length, equal: report.requests });
    expect(report).not.toHaveProperty('firstOtherEvent');
    await expect(rerun(lines)).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: 'policy "mine" is not known',
      hint: expect.stringMatching(/^known policies: fifo, .*path of a module/) as string,
    });
  });

  it('is as good in TypeScript, as a class, and as an older module', async () => {
    const typed = `import type { PagingPolicy } from '@pagefault/kernel';
      enum Order { Newest }
      export default (order: Order = Order.Newest): PagingPolicy => {
        let pages: { readonly id: number }[] = [];
        return { id: \`typed-\${order}\`, version: 2, ${methods
          .replace('onBirth(page)', 'onBirth(page: { readonly id: number })')
          .replace('(id, now)', '(id: number, now: string)')} };
      };`;
    const made = `class Mine {
      id = 'classy'; version = 1;
      configure() {} onBirth() {} onNeed() {} onResidency() {} victims() { return []; } snapshot() { return new Uint8Array(); }
      restore() { return false; }
    }`;
    const paths = [
      await file('typed.ts', typed),
      await file('classy.mjs', `${made} export default () => new Mine();`),
      await file('old.cjs', `${made} module.exports = () => new Mine();`),
    ];
    const policies = await Promise.all(paths.map(async (path) => (await loadPolicy(path))()));
    expect(policies.map(({ id }) => id)).toEqual(['typed-0', 'classy', 'classy']);
    expect((await readdir(folder)).toSorted()).toEqual(['classy.mjs', 'old.cjs', 'typed.ts']);
  });

  it('may be one that ships with parameters of your own, under a name of your own', async () => {
    const path = await file(
      'tuned.mjs',
      `export default () => ({ ...globalThis.shipped({ ghosts: 9 }), id: 'tuned' });`,
    );
    Object.assign(globalThis, { shipped: POLICIES.arc });
    expect((await loadPolicy(path))().id).toBe('tuned');
    Reflect.deleteProperty(globalThis, 'shipped');
  });

  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['has no default export', 'export const policy = 1;', /has no default export/],
    ['exports no function', 'export default {};', /its default export is an object, not a function/],
    ['fails', "export default () => { throw new Error('no luck'); };", /its default export failed: no luck/],
    ['gives a promise', 'export default async () => ({});', /it gives a promise/],
    ['gives nothing', 'export default () => {};', /it gives undefined, not a policy/],
    [
      'gives the same each time',
      mine().replace('export default () => {', 'const make = () => {') +
        'const one = make(); export default () => one;',
      /the same object each time/,
    ],
    [
      'lacks methods',
      "export default () => ({ id: 'x', version: 1, configure() {}, victims() {} });",
      /its policy lacks onBirth\(\), onNeed\(\), onResidency\(\), snapshot\(\), restore\(\)/,
    ],
    ['has no id', mine('').replace("id: '',", ''), /id is undefined; it must be text/],
    ['has an odd id', mine('../x'), /id is "\.\.\/x"; it must be text/],
    ['takes the id of one that ships', mine('lru'), /id "lru" is that of a policy that ships/],
    [
      'has no version',
      mine().replace('version: 1', "version: '1'"),
      /version is "1"; it must be a whole number/,
    ],
    [
      'has an onBoundary that is none',
      mine().replace('version: 1', 'version: 1, onBoundary: 3'),
      /onBoundary is there, but no function/,
    ],
    ['does not parse', 'export default () => {\n  let = ;\n};', /cannot read .*wrong\.mjs, line 2: /],
    ['fails while it is read', '\nnonsense();', /cannot read .*wrong\.mjs, line 2: nonsense is not defined/],
  ];

  it.each(wrong)('that %s is refused with its path and the reason', async (_, text, reason) => {
    await file('wrong.mjs', text);
    await expect(loadPolicy('./wrong.mjs', folder)).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(reason) as string,
    });
    const overrides = { ...inMemory, policy: './wrong.mjs' };
    await expect(start({ cwd: folder, env: {}, overrides })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining(join(folder, 'wrong.mjs')) as string,
    });
  });

  it('that does not parse as TypeScript is refused alike', async () => {
    await file('wrong.ts', 'export default (): => {};');
    await expect(loadPolicy('wrong.ts', folder)).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(/cannot read .*wrong\.ts, line 1: .*Unexpected token/s) as string,
    });
  });

  it('that is not there is refused with the path that was meant', async () => {
    await expect(loadPolicy('./none.mjs', folder)).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: `policy ${join(folder, 'none.mjs')}: there is no such file`,
    });
  });
});

describe('a policy by name', () => {
  it('is one that ships; another lists them, and says that a path would do', async () => {
    expect((await loadPolicy('sieve'))().id).toBe('sieve');
    await expect(loadPolicy('seive')).rejects.toMatchObject({ code: 'E_CONFIG' });
    const overrides = { ...inMemory, policy: 'seive' };
    await expect(start({ cwd: folder, env: {}, overrides })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringMatching(
        /policy: unknown name "seive"; did you mean "sieve"\?; known: fifo, .*, or the path of a module/,
      ) as string,
    });
  });

  it('may have settings; the file of a stack too, which says what is wrong with them', async () => {
    expect((await loadPolicy('2q:recentShare=.10'))().id).toBe('2q:recentShare=0.1');
    const machine = await start({
      cwd: folder,
      env: {},
      overrides: { ...inMemory, policy: 'sinks-window:sinks=2' },
    });
    await machine.close();
    const overrides = { ...inMemory, policy: '2q:recentShare=2' };
    await expect(start({ cwd: folder, env: {}, overrides })).rejects.toMatchObject({
      code: 'E_CONFIG',
      message: expect.stringContaining(
        'policy: policy "2q": recentShare is "2"; it must be a number from 0 to 1; by default it is 0.25',
      ) as string,
    });
  });

  it.each(['../../../README.md', '../README.md', '../../../kernel/README.md'])(
    'is named in %s',
    async (path) => {
      const text = await readFile(new URL(path, import.meta.url), 'utf8');
      for (const name of Object.keys(POLICIES)) expect(text).toContain(`\`${name}\``);
    },
  );

  it.each(Object.keys(POLICIES))('%s runs a process', async (policy) => {
    await using machine = await start({
      cwd: folder,
      env: {},
      overrides: { ...inMemory, policy, window: 4_096 },
    });
    const agent = await machine.kernel.spawn({ name: 'ada' });
    await agent.append(Array.from({ length: 150 }, (_, n) => ({ text: `Filler ${n}: rain again in Cork.` })));
    expect((await agent.send('Where does it rain?')).outcome).toBe('answered');
    const map = await agent.map();
    expect(map.policy).toBe(policy);
    expect(map.counters.evicted).toBeGreaterThan(0);
  });
});
