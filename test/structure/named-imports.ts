import { withoutComments } from './source.js';

/** What a file takes by name from a module when it runs: no types, which are gone by then. */
export interface NamedImport {
  readonly from: string;
  readonly names: readonly string[];
}

const STATIC =
  /(?:^|[;\n])\s*(?:import|export)\s+(?!type\b)(?:[\w$]+\s*,\s*)?\{([^}]*)\}\s*from\s*['"]([^'"]+)['"]/g;
const LATE = /\{([^{}]*)\}\s*=\s*\(?await import\(\s*['"]([^'"]+)['"]/g;

/** Of packages of others: not of ours, of Node or of the same package. */
export function namedImportsOf(text: string): NamedImport[] {
  const code = withoutComments(text);
  return [...code.matchAll(STATIC), ...code.matchAll(LATE)]
    .map(([, inside = '', from = '']) => ({ from, names: valuesIn(inside) }))
    .filter(({ from, names }) => names.length > 0 && !/^(?:\.|node:|@pagefault\/)/.test(from));
}

function valuesIn(inside: string): string[] {
  return inside
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('type '))
    .map((part) => part.replace(/\s+as\s.*$|\s*:.*$/, ''));
}
