import { PagefaultError } from '@pagefault/contracts';
import type { z } from 'zod';

/**
 * Checks a driver's options against its schema and fills in the defaults.
 * Errors: `E_CONFIG`, naming every wrong key with its path, its value and what is allowed.
 */
export function parseOptions<Schema extends z.ZodType>(
  driver: string,
  schema: Schema,
  input: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    (issue) => `${[driver, ...issue.path].join('.')}: ${issue.message}`,
  );
  throw new PagefaultError('E_CONFIG', problems.join('; '), {
    driver,
    hint: `see the options of ${driver} in its README`,
  });
}
