import { posix } from 'node:path';
import { type SourceFile, packagesOf } from './packages.js';
import { type Breach, type Files, withoutComments } from './source.js';

const DRIVER_FILES = [
  'src/index.ts',
  'src/driver.ts',
  'src/options.ts',
  'src/module.ts',
  'test/conformance.test.ts',
  'README.md',
];
// A transport carries another driver's statements: it has no contract of its own to conform to.
const TRANSPORT_FILES = ['src/index.ts', 'src/options.ts', 'README.md'];
const TRANSPORTS = new Set(['drivers/pglite']);

/** Same names in every driver's folder, so that a reader knows where to look. */
export function driversShareNames(files: Files): Breach[] {
  return packagesOf(files)
    .filter(({ folder }) => folder.startsWith('drivers/'))
    .flatMap(({ folder }) =>
      (TRANSPORTS.has(folder) ? TRANSPORT_FILES : DRIVER_FILES)
        .filter((file) => !files.has(`${folder}/${file}`))
        .map((file) => `${folder} has no ${file}`),
    );
}

/** More than this in one file is more than one idea. */
export const MAX_LINES = 300;

export function filesAreShort(files: Files): Breach[] {
  return [...files]
    .filter(([path]) => /(^|\/)src\/.*\.ts$/.test(path))
    .map(([path, text]) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${path} has ${lines} lines; the limit is ${MAX_LINES}`);
}

/** Files of a package form a hierarchy: none imports itself by way of others. */
export function noCycles(files: Files): Breach[] {
  return packagesOf(files).flatMap((one) => cyclesIn(one.files));
}

function cyclesIn(sources: readonly SourceFile[]): Breach[] {
  const next = new Map(sources.map((file) => [file.path, neighbours(file)]));
  const done = new Set<string>();
  return sources.flatMap(({ path }) => {
    const cycle = findCycle(path, next, done, []);
    return cycle === undefined ? [] : [`cycle: ${cycle.join(' -> ')}`];
  });
}

function neighbours({ path, imports }: SourceFile): string[] {
  return imports
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => posix.join(posix.dirname(path), from).replace(/\.js$/, '.ts'));
}

function findCycle(
  path: string,
  next: ReadonlyMap<string, readonly string[]>,
  done: Set<string>,
  trail: readonly string[],
): readonly string[] | undefined {
  if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
  if (done.has(path)) return undefined;
  done.add(path);
  for (const to of next.get(path) ?? []) {
    const cycle = findCycle(to, next, done, [...trail, path]);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

const IMPURE = [
  /from '(node:[^']+|uuid|eventemitter3)'/,
  /\bDate\.now\(|\bnew Date\(\)|\bperformance\.now\(/,
  /\bMath\.random\(/,
];

/** The kernel's core and policies do no input or output, read no clock and draw no randomness. */
export function coreIsPure(files: Files): Breach[] {
  return [...files]
    .filter(([path]) => /^kernel\/src\/(core|policy)\//.test(path))
    .flatMap(([path, text]) =>
      IMPURE.map((pattern) => pattern.exec(withoutComments(text))?.[0])
        .filter((found) => found !== undefined)
        .map((found) => `${path} is not pure: ${found}`),
    );
}
