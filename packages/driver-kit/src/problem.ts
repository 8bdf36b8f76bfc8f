import type { z } from 'zod';
import { allowedBy, eitherOf, schemaAt } from './allowed.js';
import { shownValue } from './shown.js';

export type Parsed<T> =
  | { readonly value: T; readonly issues: readonly [] }
  | { readonly value: undefined; readonly issues: readonly z.core.$ZodIssue[] };

// Stands where a schema has no words of its own, so that the library's never reach anybody.
const NO_WORDS = '\u0000';

/** Parses so that `describeProblem` can say of each issue what was given. */
export function parseWith<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
): Parsed<z.output<Schema>> {
  const parsed = schema.safeParse(input, { reportInput: true, error: () => NO_WORDS });
  return parsed.success
    ? { value: parsed.data, issues: [] }
    : { value: undefined, issues: parsed.error.issues };
}

/**
 * What is wrong with one value and what is allowed, for example "400 is too small; it must be a whole number of tokens
 * from 512 to 100,000,000". Secrets are not shown. `base` is where the schema's values stand.
 */
export function describeProblem(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  base: readonly PropertyKey[] = [],
): string {
  const wrong = wrongWith(issue, [...base, ...issue.path]);
  // The schema's own words about several values stand for themselves.
  if (wrong === undefined) return issue.message === NO_WORDS ? 'is not allowed' : issue.message;
  const rule = ruleOf(issue, schema);
  return rule === undefined ? wrong : `${wrong}; ${rule}`;
}

function wrongWith(issue: z.core.$ZodIssue, path: readonly PropertyKey[]): string | undefined {
  const { input } = issue;
  // A rule about several values: which of them is wrong nobody can say, so none is shown.
  if (issue.code === 'custom' && typeof input === 'object' && input !== null) return undefined;
  if (input === undefined) return 'missing';
  if (input === '' && issue.code === 'too_small') return 'empty';
  if (isText(issue))
    return `${shownValue(input, path)} is too ${issue.code === 'too_big' ? 'long' : 'short'}`;
  return `${shownValue(input, path)} is ${FAULTS[issue.code] ?? 'not allowed'}`;
}

function isText(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_small' || issue.code === 'too_big') && issue.origin === 'string';
}

const FAULTS: Readonly<Partial<Record<z.core.$ZodIssue['code'], string>>> = {
  too_small: 'too small',
  too_big: 'too large',
  invalid_key: 'not allowed as a name',
};

function ruleOf(issue: z.core.$ZodIssue, schema: z.ZodType): string | undefined {
  if (issue.message !== NO_WORDS)
    return issue.message.replace(/^must /, 'it must ').replace(/^expected /, 'it must be ');
  const allowed = issue.code === 'invalid_key' ? 'text that is not empty' : allowedAt(issue, schema);
  return allowed === undefined ? undefined : `it must be ${allowed}`;
}

// Within a choice of schemas the place cannot be told; then the issue itself says a little.
function allowedAt(issue: z.core.$ZodIssue, schema: z.ZodType): string | undefined {
  const place = schemaAt(schema, issue.path);
  const allowed = place && allowedBy(place);
  if (allowed !== undefined) return allowed;
  if (issue.code === 'invalid_value') return eitherOf(issue.values.map((value) => JSON.stringify(value)));
  if (issue.code === 'too_small') return `at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `at most ${issue.maximum}`;
  if (issue.code === 'invalid_format') return `a valid ${issue.format}`;
  return issue.code === 'invalid_type' ? `of type ${issue.expected}` : undefined;
}
