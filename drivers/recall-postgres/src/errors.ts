import { type ErrorCode, PagefaultError } from '@pagefault/contracts';
import { sqlState } from '@pagefault/driver-kit';
import { CONFLICT, LEASE_LOST } from './functions.js';

export const NAME = 'postgres';

/** What options are called in messages; it leads to this package's README. */
export const OPTIONS_NAME = `recall.${NAME}`;

const STOP_RUNNING = 'stop running this process: another kernel may hold it';

const RAISED: { readonly [state: string]: readonly [ErrorCode, hint: string] } = {
  [LEASE_LOST]: ['E_LEASE_LOST', STOP_RUNNING],
  [CONFLICT]: ['E_CONFLICT', 'read again, then decide again'],
};

/** Gives what our own functions raised its code; everything else the port has named already. */
export function named(error: unknown): unknown {
  const raised = RAISED[sqlState(error) ?? ''];
  if (raised === undefined || !(error instanceof Error)) return error;
  const [code, hint] = raised;
  return new PagefaultError(code, error.message, { driver: NAME, hint, cause: error });
}

export function invalid(message: string, hint?: string, cause?: unknown): PagefaultError {
  return new PagefaultError('E_INVALID', message, { driver: NAME, cause, ...(hint ? { hint } : {}) });
}

export function leaseLost(pid: string, fence: number): PagefaultError {
  const message = `the fence ${fence} of ${pid} is not the lease's`;
  return new PagefaultError('E_LEASE_LOST', message, { driver: NAME, hint: STOP_RUNNING });
}

export function conflict(message: string): PagefaultError {
  return new PagefaultError('E_CONFLICT', message, { driver: NAME, hint: 'read again, then decide again' });
}
