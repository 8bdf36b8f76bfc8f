import type { Breach, Files } from './source.js';

// Written so that this file does not hold what it forbids.
const FORBIDDEN: readonly { readonly what: string; readonly pattern: RegExp }[] = [
  { what: 'a path of one machine', pattern: /(?<![\w./*-])\/(?:work|root|home|Users)\/[\w.-]+/ },
  {
    what: 'a registry host',
    pattern: /\bregistry\.(?:npmjs|npmmirror|yarnpkg)\b|\b(?:artifactory|verdaccio)\b/i,
  },
  { what: 'a download address', pattern: /https?:\/\/[^\s'"`)]+\.(?:tgz|tar\.gz|onnx|safetensors|gguf)\b/ },
  {
    what: 'a suppressed check',
    pattern: /@ts-(?:ignore|nocheck|expect-error)\b|(?:oxlint|eslint)-disable\b/,
  },
];

const OWN = 'test/structure/words.ts';

/** Nothing in the repository belongs to one machine, and no check is silenced in place. */
export function noForbiddenWords(files: Files): Breach[] {
  return [...files]
    .filter(([path]) => path !== OWN)
    .flatMap(([path, text]) => FORBIDDEN.flatMap(({ what, pattern }) => find(path, text, what, pattern)));
}

function find(path: string, text: string, what: string, pattern: RegExp): Breach[] {
  const match = pattern.exec(text);
  if (match === null) return [];
  const line = text.slice(0, match.index).split('\n').length;
  return [`${path}:${line} holds ${what}: ${match[0]}`];
}

/** The lockfile names packages by integrity, never by address, so that any registry will do. */
export function lockHasNoAddresses(files: Files): Breach[] {
  const lock = files.get('pnpm-lock.yaml') ?? '';
  return /https?:\/\/|tarball:/.test(lock) ? ['pnpm-lock.yaml holds an address'] : [];
}
