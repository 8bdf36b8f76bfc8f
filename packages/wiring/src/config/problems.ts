import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { suggest } from '@pagefault/driver-kit';

/** Where a schema's values stand in the file, and every key that the file may have, with its full path. */
export interface KeyMap {
  readonly base: readonly string[];
  readonly known: readonly string[];
}

/** Checks a part of the file. Each problem is named by its full path; an unknown key with what was meant (E01). */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  keys: KeyMap,
): Checked<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data, problems: [] };
  return { value: undefined, problems: parsed.error.issues.flatMap((issue) => describeIssue(issue, keys)) };
}

export type Checked<T> =
  | { readonly value: T; readonly problems: readonly [] }
  | { readonly value: undefined; readonly problems: readonly string[] };

function describeIssue(issue: z.core.$ZodIssue, keys: KeyMap): string[] {
  const path = [...keys.base, ...issue.path.map(String)];
  if (issue.code !== 'unrecognized_keys') return [`${path.join('.')}: ${issue.message}`];
  return issue.keys.map((key) => describeUnknown([...path, key], keys.known));
}

function describeUnknown(path: readonly string[], known: readonly string[]): string {
  const meant = meantBy(path, known);
  return `${path.join('.')}: unknown key${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
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

/** All problems in one error: a file is mended once, not once a mistake. */
export function refuse(source: string, problems: readonly string[], cause?: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', `${source}: ${problems.join('; ')}`, {
    hint: problems.length === 1 ? 'correct this value' : 'correct these values',
    cause,
  });
}
