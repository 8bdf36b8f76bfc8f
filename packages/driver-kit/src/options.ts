import { PagefaultError } from '@pagefault/contracts';
import { z } from 'zod';
import { describeProblem, parseWith } from './problem.js';
import { suggest } from './suggest.js';

/**
 * Checks a driver's options against its schema and fills in the defaults.
 * Errors: `E_CONFIG`, naming every wrong key with its path and what is allowed, an unknown one with what was meant.
 */
export function parseOptions<Schema extends z.ZodType>(
  driver: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = parseWith(schema, input);
  if (parsed.value !== undefined) return parsed.value;
  const problems = parsed.issues.flatMap((issue) => describeIssue(driver, schema, issue));
  // A number beyond the safe integers breaks two bounds in one way.
  throw new PagefaultError('E_CONFIG', [...new Set(problems)].join('; '), {
    driver,
    hint: `see the options of ${driver} in its README`,
  });
}

/** An option that is wrong beside others: `message` begins with its name. */
export function wrongOption(driver: string, message: string, hint: string): PagefaultError {
  return new PagefaultError('E_CONFIG', `${driver}.${message}`, { driver, hint });
}

function describeIssue(driver: string, schema: z.ZodType, issue: z.core.$ZodIssue): string[] {
  const path = [driver, ...issue.path].join('.');
  if (issue.code !== 'unrecognized_keys') return [`${path}: ${describeProblem(issue, schema)}`];
  const known = issue.path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  return issue.keys.map((key) => `${path}.${key}: unknown key${rightKey(key, known)}`);
}

function rightKey(key: string, known: readonly string[]): string {
  const meant = suggest(key, known);
  if (meant !== undefined) return `; did you mean "${meant}"?`;
  return known.length === 0 ? '' : `; known: ${known.join(', ')}`;
}
