import { describe, expect, it } from 'vitest';
import { arrowsPointDown, containerStaysInWiring, labUsesCoreOnly } from './structure/arrows.js';
import { dependenciesAreUsed, doublesStayInTests, importsAreDeclared } from './structure/dependencies.js';
import { coreIsPure, driversShareNames, filesAreShort, MAX_LINES, noCycles } from './structure/shape.js';
import { type Breach, type Files, importsOf } from './structure/source.js';
import { lockHasNoAddresses, noForbiddenWords } from './structure/words.js';

interface Case {
  readonly rule: (files: Files) => Breach[];
  readonly title: string;
  readonly good: Record<string, string>;
  /** Files that are added to the good ones, or replace them. */
  readonly bad: Record<string, string>;
  readonly breach: RegExp;
}

const CODE = 'export const x = 1;\n';
const DRIVER = 'drivers/disk';

function manifest(name: string, fields: Record<string, unknown> = {}): string {
  return JSON.stringify({ name: `@pagefault/${name}`, ...fields });
}

const disk = { [`${DRIVER}/package.json`]: manifest('driver-disk'), [`${DRIVER}/src/index.ts`]: CODE };
const kernel = { 'kernel/package.json': manifest('kernel'), 'kernel/src/index.ts': CODE };
const lab = {
  'packages/lab/package.json': manifest('lab'),
  'kernel/src/index.ts':
    "export { type A, plan as planReclaim } from './core/plan.js';\nexport { boot } from './boot.js';",
};
const wiring = { 'packages/wiring/package.json': manifest('wiring') };

const CASES: readonly Case[] = [
  {
    rule: arrowsPointDown,
    title: 'a driver that imports the kernel',
    good: { ...disk, [`${DRIVER}/src/driver.ts`]: "import { hasCode } from '@pagefault/contracts';" },
    bad: { [`${DRIVER}/src/driver.ts`]: "import type { Pager } from '@pagefault/kernel';" },
    breach: /driver\.ts imports @pagefault\/kernel/,
  },
  {
    rule: arrowsPointDown,
    title: 'a driver that imports another driver, also late',
    good: disk,
    bad: { [`${DRIVER}/src/driver.ts`]: "const memory = await import('@pagefault/driver-memory/module');" },
    breach: /imports @pagefault\/driver-memory/,
  },
  {
    rule: arrowsPointDown,
    title: 'a kernel that imports a driver in published code',
    good: { ...kernel, 'kernel/test/a.test.ts': "import { x } from '@pagefault/driver-memory';" },
    bad: { 'kernel/src/boot.ts': "export * from '@pagefault/driver-memory';" },
    breach: /boot\.ts imports @pagefault\/driver-memory/,
  },
  {
    rule: arrowsPointDown,
    title: 'contracts that import anything of ours',
    good: {
      'packages/contracts/package.json': manifest('contracts'),
      'packages/contracts/src/index.ts': CODE,
    },
    bad: { 'packages/contracts/src/a.ts': "import '@pagefault/driver-kit';" },
    breach: /contracts may not/,
  },
  {
    rule: labUsesCoreOnly,
    title: "a lab that reaches the kernel's shell",
    good: {
      ...lab,
      'packages/lab/src/index.ts': "import { type A, planReclaim } from '@pagefault/kernel';\nplanReclaim();",
    },
    bad: { 'packages/lab/src/run.ts': "import { type boot, planReclaim } from '@pagefault/kernel';" },
    breach: /run\.ts imports boot of \.\/boot\.js/,
  },
  {
    rule: containerStaysInWiring,
    title: 'a kernel that builds a container',
    good: { ...kernel, ...wiring, 'packages/wiring/src/index.ts': "import { Container } from 'inversify';" },
    bad: { 'kernel/src/boot.ts': "import { Container } from 'inversify';" },
    breach: /kernel\/src\/boot\.ts imports Container/,
  },
  {
    rule: containerStaysInWiring,
    title: 'a driver that meets inversify outside its module file',
    good: { ...disk, [`${DRIVER}/src/module.ts`]: "import { ContainerModule } from 'inversify';" },
    bad: { [`${DRIVER}/src/driver.ts`]: "import { ContainerModule } from 'inversify';" },
    breach: /only src\/module\.ts may/,
  },
  {
    rule: importsAreDeclared,
    title: 'an import that is not declared',
    good: { ...kernel, 'kernel/src/a.ts': "import { join } from 'node:path';\nimport './index.js';" },
    bad: { 'kernel/src/b.ts': "import { z } from 'zod';" },
    breach: /imports zod, which is not in the dependencies of kernel/,
  },
  {
    rule: importsAreDeclared,
    title: 'published code that leans on a devDependency',
    good: {
      'kernel/package.json': manifest('kernel', { devDependencies: { zod: '4' } }),
      'kernel/src/index.ts': CODE,
      'kernel/test/a.test.ts': "import { z } from 'zod';",
    },
    bad: { 'kernel/src/b.ts': "import { z } from 'zod';" },
    breach: /src\/b\.ts imports zod/,
  },
  {
    rule: dependenciesAreUsed,
    title: 'a dependency that nothing uses',
    good: {
      'kernel/package.json': manifest('kernel', { dependencies: { zod: '4' } }),
      'kernel/src/index.ts': "import { z } from 'zod';",
    },
    bad: { 'kernel/src/index.ts': "// import { z } from 'zod';\nexport const x = 1;" },
    breach: /kernel declares zod/,
  },
  {
    rule: doublesStayInTests,
    title: 'doubles among the dependencies',
    good: {
      ...kernel,
      'kernel/package.json': manifest('kernel', { devDependencies: { '@pagefault/doubles': '*' } }),
    },
    bad: { 'kernel/package.json': manifest('kernel', { dependencies: { '@pagefault/doubles': '*' } }) },
    breach: /outside devDependencies/,
  },
  {
    rule: driversShareNames,
    title: 'a driver without the shared files',
    good: { [`${DRIVER}/package.json`]: manifest('driver-disk'), [`${DRIVER}/src/index.ts`]: 'export {};\n' },
    bad: disk,
    breach: /drivers\/disk has no src\/options\.ts/,
  },
  {
    rule: noCycles,
    title: 'files that import each other in a ring',
    good: { ...kernel, 'kernel/src/a.ts': "import './b.js';", 'kernel/src/b.ts': CODE },
    bad: { 'kernel/src/b.ts': "export type { C } from './c.js';", 'kernel/src/c.ts': "import './a.js';" },
    breach: /a\.ts -> .*b\.ts -> .*c\.ts -> .*a\.ts/,
  },
  {
    rule: coreIsPure,
    title: 'a core that reads the clock',
    good: { 'kernel/src/core/a.ts': '// not Date.now()\n', 'kernel/src/clock.ts': 'Date.now();' },
    bad: { 'kernel/src/core/b.ts': 'export const now = Date.now();' },
    breach: /core\/b\.ts is not pure/,
  },
  {
    rule: filesAreShort,
    title: 'a file that is too long',
    good: { 'kernel/src/a.ts': CODE.repeat(MAX_LINES) },
    bad: { 'kernel/src/a.ts': CODE.repeat(MAX_LINES + 1) },
    breach: /has 301 lines/,
  },
  {
    rule: noForbiddenWords,
    title: 'a path of one machine',
    good: { 'README.md': 'See ./work/ and src/home/index.ts.' },
    bad: { 'docs/a.md': `Open ${['', 'home', 'ada', 'notes'].join('/')}.` },
    breach: /docs\/a\.md:1 holds a path of one machine/,
  },
  {
    rule: noForbiddenWords,
    title: 'a silenced check',
    good: {},
    bad: { 'kernel/src/a.ts': `\n// ${['@ts', 'ignore'].join('-')}` },
    breach: /a\.ts:2 holds a suppressed check/,
  },
  {
    rule: lockHasNoAddresses,
    title: 'a lockfile with addresses',
    good: { 'pnpm-lock.yaml': 'integrity: sha512-x' },
    bad: { 'pnpm-lock.yaml': 'tarball: x' },
    breach: /pnpm-lock/,
  },
];

describe('the structure check', () => {
  it.each(CASES)('finds $title', ({ rule, good, bad, breach }) => {
    expect(rule(new Map(Object.entries(good)))).toEqual([]);
    const breaches = rule(new Map(Object.entries({ ...good, ...bad })));
    expect(breaches.join('\n')).toMatch(breach);
  });

  it('reads imports of every form, and none in comments or template strings', () => {
    const text = [
      "import a, { type B as C, d } from 'one';",
      "export * from 'two'; import 'three';",
      "const late = () => import('four');",
      "// import 'five'",
      "/* import 'six' */ const t = `\nimport 'seven';`;",
    ].join('\n');
    expect(
      importsOf(text)
        .map(({ from }) => from)
        .toSorted(),
    ).toEqual(['four', 'one', 'three', 'two']);
    expect(importsOf(text)[0]?.names).toEqual(['B', 'd']);
  });
});
