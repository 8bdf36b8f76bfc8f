import { type Files, importsOf, withoutComments } from './source.js';

export interface Package {
  readonly name: string;
  readonly folder: string;
  /** What the published code may import. */
  readonly runtime: ReadonlySet<string>;
  readonly dev: ReadonlySet<string>;
  /** TypeScript files of the package: all of them, and those that are published. */
  readonly files: readonly SourceFile[];
  readonly published: readonly SourceFile[];
}

export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: ReturnType<typeof importsOf>;
}

type Manifest = Readonly<Record<string, unknown>> & { readonly name: string };

/** The packages of the workspace that have code. One that only holds `export {};` is not built yet. */
export function packagesOf(files: Files): Package[] {
  const manifests = [...files.keys()].filter((path) => path.endsWith('/package.json'));
  return manifests.map((path) => readPackage(files, path)).filter(hasCode);
}

function readPackage(files: Files, manifestPath: string): Package {
  const folder = manifestPath.slice(0, -'/package.json'.length);
  const manifest = JSON.parse(files.get(manifestPath) ?? '{}') as Manifest;
  const all = sourcesUnder(files, `${folder}/`);
  return {
    name: manifest.name,
    folder,
    runtime: namesOf(manifest, 'dependencies', 'peerDependencies', 'optionalDependencies'),
    dev: namesOf(manifest, 'devDependencies'),
    files: all,
    published: all.filter(({ path }) => path.startsWith(`${folder}/src/`)),
  };
}

function sourcesUnder(files: Files, prefix: string): SourceFile[] {
  return [...files]
    .filter(([path]) => path.startsWith(prefix) && path.endsWith('.ts') && !path.endsWith('vitest.config.ts'))
    .map(([path, text]) => ({ path, text, imports: importsOf(text) }));
}

function namesOf(manifest: Manifest, ...fields: readonly string[]): Set<string> {
  return new Set(fields.flatMap((field) => Object.keys((manifest[field] as object | undefined) ?? {})));
}

function hasCode({ published }: Package): boolean {
  return published.some(({ text }) => withoutComments(text).trim() !== 'export {};');
}

/** The packages that the root offers to all tests. */
export function rootTools(files: Files): ReadonlySet<string> {
  return namesOf(JSON.parse(files.get('package.json') ?? '{}') as Manifest, 'devDependencies');
}
