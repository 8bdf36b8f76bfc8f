import { type Package, type SourceFile, packagesOf, rootTools } from './packages.js';
import { type Breach, type Files, packageOf, withoutComments } from './source.js';

// Nothing imports these, and they are needed: inversify asks for the first, the compiler for the others.
const NEEDED_UNSEEN = /^(reflect-metadata$|@types\/)/;

/** Every imported package is declared where it is imported. */
export function importsAreDeclared(files: Files): Breach[] {
  const tools = rootTools(files);
  return packagesOf(files).flatMap((one) => [
    ...undeclared(one, one.published, one.runtime, 'dependencies'),
    ...undeclared(one, unpublished(one), union(one.runtime, one.dev, tools), 'devDependencies'),
  ]);
}

function undeclared(
  one: Package,
  sources: readonly SourceFile[],
  declared: ReadonlySet<string>,
  field: string,
): Breach[] {
  return sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => !from.startsWith('.') && !from.startsWith('node:'))
      .map(({ from }) => packageOf(from))
      .filter((name) => name !== one.name && !declared.has(name))
      .map((name) => `${path} imports ${name}, which is not in the ${field} of ${one.folder}`),
  );
}

/** Every declared package is used: dependencies by published code, devDependencies by any. */
export function dependenciesAreUsed(files: Files): Breach[] {
  return packagesOf(files).flatMap((one) => [
    ...unused(one, one.runtime, one.published, 'dependencies'),
    ...unused(one, one.dev, one.files, 'devDependencies'),
  ]);
}

function unused(
  one: Package,
  declared: ReadonlySet<string>,
  sources: readonly SourceFile[],
  field: string,
): Breach[] {
  const code = sources.map(({ text }) => withoutComments(text)).join('\n');
  return [...declared]
    .filter((name) => !NEEDED_UNSEEN.test(name) && !mentions(code, name))
    .map((name) => `${one.folder} declares ${name} in ${field} and does not use it`);
}

// A string is enough: some packages are found by `import.meta.resolve` or loaded on demand.
function mentions(code: string, name: string): boolean {
  return ['"', "'", '`'].some(
    (quote) => code.includes(`${quote}${name}${quote}`) || code.includes(`${quote}${name}/`),
  );
}

/** The doubles are for tests. */
export function doublesStayInTests(files: Files): Breach[] {
  return packagesOf(files)
    .filter(({ runtime }) => runtime.has('@pagefault/doubles'))
    .map(({ folder }) => `${folder} declares @pagefault/doubles outside devDependencies`);
}

function unpublished(one: Package): SourceFile[] {
  return one.files.filter((file) => !one.published.includes(file));
}

function union(...sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}
