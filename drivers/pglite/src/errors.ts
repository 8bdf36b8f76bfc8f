import { hasCode, PagefaultError } from '@pagefault/contracts';
import { sqlError } from '@pagefault/driver-kit';
import { errorCode, fileOnTheWay } from './folders.js';
import type { RawError, Reply } from './protocol.js';

export const DRIVER = 'pglite';

const HINTS: { readonly [code: string]: string } = {
  ENOSPC: 'free some space on the disk and open the store again; what was acknowledged is kept',
  EDQUOT: 'the disk quota is used up: free some space and open the store again',
  ENOTDIR: 'a part of the path is a file: choose another data directory',
  EEXIST: 'what stands there is no folder, perhaps a link that leads nowhere: choose another data directory',
  ENOENT: 'no folder can be made there: choose another data directory',
  EACCES: 'the folder may not be written by this user: change its owner, or choose another data directory',
  EPERM: 'the folder may not be written by this user: change its owner, or choose another data directory',
  EROFS: 'the file system is read-only: choose another data directory',
};

/** A folder that cannot be used, with what to do about it. */
export function dataDirError(dataDir: string, code: string, cause: unknown): PagefaultError {
  const what = code === 'ENOSPC' || code === 'EDQUOT' ? 'disk full' : `cannot be used (${code})`;
  return new PagefaultError('E_DATA_DIR', `data directory ${dataDir}: ${what}`, {
    driver: DRIVER,
    hint: HINTS[code] ?? 'choose another data directory',
    cause,
  });
}

/** The same, with the file named that stands where a folder should be, if one does on the way to `path`. */
export function folderError(dataDir: string, path: string, cause: unknown): PagefaultError {
  const code = errorCode(cause) ?? 'unknown';
  const file = fileOnTheWay(path);
  if (file === undefined) return dataDirError(dataDir, code, cause);
  const what = file === dataDir ? 'it is a file' : `${file} is a file`;
  return new PagefaultError('E_DATA_DIR', `data directory ${dataDir}: ${what} (${code})`, {
    driver: DRIVER,
    hint: 'a folder is needed there: move the file away, or choose another data directory',
    cause,
  });
}

/** The store is not where it was opened: nothing that is written now would be found again. */
export function removedError(dataDir: string): PagefaultError {
  const message = `the data directory ${dataDir} was removed while it was in use`;
  return new PagefaultError('E_DATA_DIR', message, {
    driver: DRIVER,
    hint: 'restart; what was acknowledged before the removal is gone with the folder, unless it was only moved',
  });
}

/** Files where the database should be, that are none: somebody else's, or what is left of one. */
export function foreignFiles(dataDir: string): PagefaultError {
  const what = 'its folder "postgres" holds files, but no database (PG_VERSION is missing)';
  return new PagefaultError('E_DATA_DIR', `data directory ${dataDir}: ${what}`, {
    driver: DRIVER,
    hint: 'restore it from a copy, move that folder away to begin anew, or choose another data directory',
  });
}

/** An error of opening what is there. One that says what to do is passed on as it is. */
export function damagedError(dataDir: string, error: unknown): unknown {
  if (!hasCode(error, 'E_STORAGE') || error.hint !== undefined) return error;
  return new PagefaultError('E_STORAGE', `the database in ${dataDir} does not open: ${error.message}`, {
    driver: DRIVER,
    hint: 'when files of it are missing or damaged, restore the folder from a copy, or move it away to begin anew',
    cause: error,
  });
}

/** What the worker told of a failed call. */
export function callError(dataDir: string, raw: RawError): PagefaultError {
  const cause = Object.assign(new Error(raw.message), raw);
  if (raw.refusal !== undefined && raw.code !== undefined && IO_STATES.test(raw.code)) {
    return dataDirError(dataDir, raw.refusal, cause);
  }
  if (raw.code === undefined && raw.refusal !== undefined) return dataDirError(dataDir, raw.refusal, cause);
  return sqlError(DRIVER, cause);
}

// insufficient_resources, io_error, and internal errors by which file trouble shows.
const IO_STATES = /^(53|58|XX)/;

/** The end of the worker: nothing more can be asked of it. */
export function deathError(dataDir: string, reason: Reply['fatal'], cause?: unknown): PagefaultError {
  if (reason?.refusal !== undefined) {
    return dataDirError(dataDir, reason.refusal, new Error(reason.said));
  }
  const said = reason?.said ?? (cause instanceof Error ? cause.message : 'it ended');
  return new PagefaultError('E_STORAGE', `the database in ${dataDir} stopped: ${said}`, {
    driver: DRIVER,
    hint: 'open it again; what was acknowledged is kept',
    retryable: true,
    ...(cause === undefined ? {} : { cause }),
  });
}

export function notOpen(dataDir: string): PagefaultError {
  return new PagefaultError('E_NOT_OPEN', `the database in ${dataDir} is not open`, {
    driver: DRIVER,
    hint: 'call open() first',
  });
}

export function aborted(signal: AbortSignal): PagefaultError {
  return new PagefaultError('E_ABORTED', 'stopped before the statement was sent', {
    driver: DRIVER,
    cause: signal.reason,
  });
}
