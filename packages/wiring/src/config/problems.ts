import { PagefaultError } from '@pagefault/contracts';
import { describeProblem, parseWith, suggest } from '@pagefault/driver-kit';
import { z } from 'zod';

/** Where the value at a path is from, as it stands before a problem of it. */
export type Origin = (path: readonly string[]) => string;

/** One thing that is wrong. The path is empty when it is the whole. */
export interface Problem {
  readonly path: readonly string[];
  readonly words: string;
}

/** Where a schema's values stand in the file, and every key that the file may have, with its full path. */
export interface KeyMap {
  readonly base: readonly string[];
  readonly known: readonly string[];
}

/** Checks a part of the file. Each problem has its full path; an unknown key is told with what was meant (E01). */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  keys: KeyMap,
): Checked<z.output<Schema>> {
  const parsed = parseWith(schema, value);
  if (parsed.value !== undefined) return { value: parsed.value, problems: [] };
  return { value: undefined, problems: parsed.issues.flatMap((issue) => problemsOf(issue, schema, keys)) };
}

export type Checked<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: undefined; readonly problems: readonly Problem[] };

function problemsOf(issue: z.core.$ZodIssue, schema: z.ZodType, { base, known }: KeyMap): Problem[] {
  const path = [...base, ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [{ path, words: describeProblem(issue, schema, base) }];
  return issue.keys.map((key) => ({ path: [...path, key], words: describeUnknown([...path, key], known) }));
}

function describeUnknown(path: readonly string[], known: readonly string[]): string {
  const meant = meantBy(path, known);
  return `unknown key${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

// First a slip of the pen at the same place, then the same word at another place, then both.
function meantBy(path: readonly string[], known: readonly string[]): string | undefined {
  const word = path.at(-1) ?? '';
  const place = path.slice(0, -1).join('.');
  const here = known.filter((key) => placeOf(key) === place);
  const near = suggest(word, here.map(wordOf));
  if (near !== undefined) return here.find((key) => wordOf(key) === near);
  const elsewhere = known.filter((key) => placeOf(key) !== place);
  const far = suggest(word, elsewhere.map(wordOf));
  return elsewhere.find((key) => wordOf(key) === far);
}

function placeOf(key: string): string {
  return key.includes('.') ? key.slice(0, key.lastIndexOf('.')) : '';
}

function wordOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

/** The keys of an object schema, with what stands before them; none when the schema is of another kind. */
export function keysOf(schema: z.ZodType | null, base: string): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.keys(schema.shape).map((key) => `${base}.${key}`);
}

/** All problems in one error, by where they are from: a file is mended once, not once a mistake. */
export function refuse(origin: Origin, problems: readonly Problem[], cause?: unknown): PagefaultError {
  const told = new Map<string, Set<string>>();
  for (const { path, words } of problems) {
    const source = origin(path);
    const before = told.get(source) ?? new Set();
    told.set(source, before.add(path.length === 0 ? words : `${path.join('.')}: ${words}`));
  }
  const message = [...told].map(([source, lines]) => `${source}: ${[...lines].join('; ')}`).join('; ');
  return new PagefaultError('E_CONFIG', message, {
    hint: problems.length === 1 ? 'correct this value' : 'correct these values',
    cause,
  });
}
