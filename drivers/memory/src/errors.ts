import { type ErrorCode, PagefaultError } from '@pagefault/contracts';

export const NAME = 'memory';

export function refusal(code: ErrorCode, message: string, hint: string, cause?: unknown): PagefaultError {
  return new PagefaultError(code, message, { driver: NAME, hint, cause });
}
