import { type Package, packagesOf } from './packages.js';
import { type Breach, type Files, packageOf, withoutComments } from './source.js';

const SCOPE = '@pagefault/';
const DRIVER = '@pagefault/driver-*';

/** Who may import whom in published code. Arrows only point down. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  'driver-kit': ['contracts'],
  [DRIVER]: ['contracts', 'driver-kit'],
  conformance: ['contracts'],
  doubles: ['contracts'],
  kernel: ['contracts'],
  transcripts: ['contracts'],
  documents: ['contracts'],
  lab: ['contracts', 'kernel'],
  wiring: ['contracts', 'driver-kit', 'kernel', DRIVER],
  evals: ['contracts', 'kernel', 'transcripts', 'wiring'],
  cli: ['contracts', 'driver-kit', 'kernel', 'transcripts', 'documents', 'wiring', 'evals', 'lab'],
  'example-*': ['contracts', 'driver-kit', 'kernel', 'wiring', 'lab', DRIVER],
};

/** Published code imports only what its room may see. */
export function arrowsPointDown(files: Files): Breach[] {
  return packagesOf(files).flatMap((one) =>
    one.published.flatMap(({ path, imports }) =>
      imports
        .map(({ from }) => packageOf(from))
        .filter((target) => target.startsWith(SCOPE) && target !== one.name && !mayImport(one, target))
        .map((target) => `${path} imports ${target}, which ${one.name} may not`),
    ),
  );
}

function mayImport({ name }: Package, target: string): boolean {
  return (MAY_IMPORT[room(name)] ?? []).includes(room(target));
}

function room(name: string): string {
  if (name.startsWith(`${SCOPE}driver-`) && name !== `${SCOPE}driver-kit`) return DRIVER;
  if (name.startsWith(`${SCOPE}example-`)) return 'example-*';
  return name.slice(SCOPE.length);
}

/** The lab judges the paging policies by the kernel's own pure core; it must not reach the shell. */
export function labUsesCoreOnly(files: Files): Breach[] {
  const homes = exportHomes(files.get('kernel/src/index.ts') ?? '');
  const lab = packagesOf(files).find(({ name }) => name === `${SCOPE}lab`);
  return (lab?.published ?? []).flatMap(({ path, imports }) =>
    imports
      .filter(({ from }) => from === `${SCOPE}kernel`)
      .flatMap(({ names }) => names)
      .filter((name) => !/^\.\/(?:core|policy)\//.test(homes.get(name) ?? ''))
      .map((name) => `${path} imports ${name} of ${homes.get(name) ?? 'nowhere'}; core and policies only`),
  );
}

/** For each name that an index exports, the file that it comes from. */
function exportHomes(index: string): ReadonlyMap<string, string> {
  const clauses = withoutComments(index).matchAll(/export\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g);
  const pairs = [...clauses].flatMap(([, names = '', from = '']) =>
    names.split(',').map((part) => [part.trim().split(/\s+/).at(-1) ?? '', from] as const),
  );
  return new Map(pairs);
}

/** Only wiring, examples and tests build a Container; a driver meets the container in one file. */
export function containerStaysInWiring(files: Files): Breach[] {
  return packagesOf(files).flatMap((one) =>
    one.published.flatMap(({ path, imports }) =>
      imports
        .filter(({ from }) => from === 'inversify')
        .flatMap(({ names }) => containerBreach(one, path, names)),
    ),
  );
}

function containerBreach(one: Package, path: string, names: readonly string[]): Breach[] {
  if (one.folder === 'packages/wiring' || one.folder.startsWith('examples/')) return [];
  if (names.includes('Container')) return [`${path} imports Container; only packages/wiring builds one`];
  const isDriver = room(one.name) === DRIVER;
  if (isDriver && path !== `${one.folder}/src/module.ts`)
    return [`${path} imports inversify; only src/module.ts may`];
  return isDriver ? [] : [`${path} imports inversify; only packages/wiring and drivers' src/module.ts may`];
}
