import { PagefaultError } from '@pagefault/contracts';

/** What an error is in JSON: never its causes, which may hold what nobody should read. */
export function errorForPrograms(error: unknown): Record<string, unknown> {
  const message = error instanceof Error ? error.message : String(error);
  if (!PagefaultError.is(error)) return { message };
  const { code, driver, hint, retryable } = error;
  return {
    code,
    message,
    retryable,
    ...(driver !== undefined && { driver }),
    ...(hint !== undefined && { hint }),
  };
}
