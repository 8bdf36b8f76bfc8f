import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { arrowsPointDown, containerStaysInWiring, labUsesCoreOnly } from './structure/arrows.js';
import { dependenciesAreUsed, doublesStayInTests, importsAreDeclared } from './structure/dependencies.js';
import { packagesOf } from './structure/packages.js';
import { coreIsPure, driversShareNames, filesAreShort, noCycles } from './structure/shape.js';
import { readRepository } from './structure/source.js';
import { lockHasNoAddresses, noForbiddenWords } from './structure/words.js';

const files = readRepository(fileURLToPath(new URL('..', import.meta.url)));

describe('the house', () => {
  it('is seen by the check', () => {
    expect(packagesOf(files).map(({ name }) => name)).toContain('@pagefault/contracts');
  });

  it.each([
    ['lets arrows point down only', arrowsPointDown],
    ["shows the lab nothing but the kernel's core and policies", labUsesCoreOnly],
    ['builds a container in wiring alone', containerStaysInWiring],
    ['declares every package that it imports', importsAreDeclared],
    ['uses every package that it declares', dependenciesAreUsed],
    ['keeps the doubles in tests', doublesStayInTests],
    ['gives every driver the same file names', driversShareNames],
    ['has no cycle between the files of a package', noCycles],
    ['keeps the core pure', coreIsPure],
    ['keeps files short', filesAreShort],
    ['holds no words of one machine', noForbiddenWords],
    ['locks packages without addresses', lockHasNoAddresses],
  ])('%s', (_title, rule) => {
    expect(rule(files)).toEqual([]);
  });
});
