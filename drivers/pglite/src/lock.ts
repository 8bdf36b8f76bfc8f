import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PagefaultError } from '@pagefault/contracts';
import { DRIVER, folderError } from './errors.js';
import { errorCode, makeFolder } from './folders.js';

/**
 * The lock of a data directory. PGlite has none: two processes that open one directory destroy it.
 *
 * Who wants it puts a claim, a file with a name of its own that says pid and start time, into `lock/`, and only
 * then looks at the others' claims. No claim of a living process but its own: the lock is held, for as long as
 * the file is there. Of two who come at once at least one sees the other, so there are never two holders; the
 * claims of the dead are swept by whoever finds them, which cannot harm anyone, because names are never reused.
 * Of two who wait for each other the smaller name stays.
 *
 * Limits: one machine and one pid namespace; the folder must not be on a network file system.
 */
export interface DirectoryLock {
  /** The file that is the claim, with its path. */
  readonly claim: string;
  release(): void;
}

// How long the smaller name waits for the larger one to see it and give way, in steps.
const WAIT_STEP_MS = 10;
const WAIT_STEPS = 20;

interface Claim {
  readonly file: string;
  readonly pid: number;
}

/** Makes the directory when it is not there. Errors: `E_DATA_DIR_LOCKED`, naming directory and holder; `E_DATA_DIR` when it cannot be written. */
export async function lockDirectory(dataDir: string): Promise<DirectoryLock> {
  const folder = join(dataDir, 'lock');
  const own = await putClaim(dataDir, folder);
  try {
    for (let step = 0; step < WAIT_STEPS; step += 1) {
      const others = livingClaims(folder).filter((claim) => claim.file !== own);
      const [first] = others;
      if (first === undefined) return held(folder, own);
      if (others.some((claim) => claim.file < own)) break;
      await delay(WAIT_STEP_MS);
    }
    throw lockedError(
      dataDir,
      livingClaims(folder).find((claim) => claim.file !== own),
    );
  } catch (error) {
    rmSync(join(folder, own), { force: true });
    throw error;
  }
}

async function putClaim(dataDir: string, folder: string): Promise<string> {
  const file = `${process.pid}-${startTicks(process.pid) ?? ''}-${randomUUID()}`;
  try {
    await makeFolder(folder);
    writeFileSync(join(folder, file), '', { flag: 'wx' });
  } catch (cause) {
    throw folderError(dataDir, folder, cause);
  }
  return file;
}

function livingClaims(folder: string): Claim[] {
  const claims: Claim[] = [];
  for (const file of readdirSync(folder).sort()) {
    const [pid = '', ticks = ''] = file.split('-');
    if (isAlive(Number(pid), ticks)) claims.push({ file, pid: Number(pid) });
    else rmSync(join(folder, file), { force: true });
  }
  return claims;
}

function isAlive(pid: number, ticks: string): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const now = startTicks(pid);
  if (now !== undefined) return ticks === '' || now === ticks;
  if (ticks !== '') return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** When a process began, in clock ticks since boot: tells a pid from its later reuse. Only Linux says. */
function startTicks(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name before the parenthesis may hold anything; field 22 of the whole is the start time (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined; // no such process, or no /proc
  }
}

function held(folder: string, file: string): DirectoryLock {
  const claim = join(folder, file);
  const unlink = (): void => {
    try {
      unlinkSync(claim);
    } catch (error) {
      // The whole folder may have been removed, and a file be in its place.
      if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
    }
  };
  process.once('exit', unlink);
  return {
    claim,
    release() {
      process.off('exit', unlink);
      unlink();
    },
  };
}

function lockedError(dataDir: string, holder: Claim | undefined): PagefaultError {
  const who = holder === undefined ? 'another process' : `process ${holder.pid}`;
  const self = holder?.pid === process.pid ? ' (this one)' : '';
  return new PagefaultError('E_DATA_DIR_LOCKED', `data directory ${dataDir} is in use by ${who}${self}`, {
    driver: DRIVER,
    hint: 'close it there first, or choose another data directory',
    retryable: true,
  });
}
