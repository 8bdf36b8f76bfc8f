/**
 * The paging policy of a configuration: one that ships, by name, or one of the user's own, by the path of its module or by the
 * command of a program.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { PagefaultError } from '@pagefault/contracts';
import { shownValue } from '@pagefault/driver-kit';
import { findPolicy, POLICIES, type PagingPolicy, type PolicyFactory } from '@pagefault/kernel';
import { importDefault, isPolicyPath } from './config/index.js';
import { type ExternalPolicy, externalPolicy, isPolicyCommand } from './external-policy/index.js';

const HINT =
  'write `export default () => ({ id, version, configure, onBirth, … })`: a policy for each process';
const SHARED = 'it gives the same object each time; each process needs its own';

/** What is a program of its own must be closed. */
export type LoadedPolicy = PolicyFactory & Partial<Pick<ExternalPolicy, 'open' | 'close'>>;

/**
 * A path is relative to `folder`. The module's default export makes one policy for each process. The program of a command,
 * `exec:python3 my_policy.py`, runs in `folder`; it is started by `open` or by the first policy.
 * Errors: `E_CONFIG` for an unknown name, and for a module that cannot be read or makes no policy, with path and reason.
 */
export async function loadPolicy(nameOrPath: string, folder: string = process.cwd()): Promise<LoadedPolicy> {
  if (isPolicyCommand(nameOrPath)) return externalPolicy(nameOrPath, { cwd: folder });
  if (!isPolicyPath(nameOrPath)) return findPolicy(nameOrPath);
  const path = resolve(folder, nameOrPath);
  if (!existsSync(path)) throw refuse(path, 'there is no such file', 'correct the path');
  const make = await importDefault(path, HINT);
  if (typeof make !== 'function')
    throw refuse(path, `its default export is ${shownValue(make, [])}, not a function that makes a policy`);
  const [first, second] = [tryOut(path, make), tryOut(path, make)];
  const problem = problemOf(first) ?? (first === second ? SHARED : undefined);
  if (problem !== undefined) throw refuse(path, problem);
  return make as PolicyFactory;
}

function tryOut(path: string, make: Function): unknown {
  try {
    return make();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw refuse(path, `its default export failed: ${why}`, HINT, cause);
  }
}

const METHODS = [
  'configure',
  'onBirth',
  'onNeed',
  'onResidency',
  'victims',
  'snapshot',
  'restore',
] as const satisfies readonly (keyof PagingPolicy)[];

function problemOf(made: unknown): string | undefined {
  if (made instanceof Promise) return 'it gives a promise; a policy is made at once';
  if (typeof made !== 'object' || made === null) return `it gives ${shownValue(made, [])}, not a policy`;
  const policy = made as Readonly<Record<string, unknown>>;
  const missing = METHODS.filter((name) => typeof policy[name] !== 'function');
  if (missing.length > 0) return `its policy lacks ${missing.map((name) => `${name}()`).join(', ')}`;
  const { onBoundary, version } = policy;
  if (onBoundary !== undefined && typeof onBoundary !== 'function')
    return 'onBoundary is there, but no function';
  if (!Number.isSafeInteger(version))
    return `version is ${shownValue(version, [])}; it must be a whole number`;
  return problemOfId(policy['id']);
}

/** It names snapshots and recordings, so it must be clear and its own. */
function problemOfId(id: unknown): string | undefined {
  if (typeof id !== 'string' || !/^[a-z0-9][\w.-]{0,63}$/i.test(id))
    return `id is ${shownValue(id, [])}; it must be text of 1 to 64 letters, digits, "-", "_" and "."`;
  if (!Object.hasOwn(POLICIES, id)) return undefined;
  return `id "${id}" is that of a policy that ships; recordings tell policies apart by it, so choose another`;
}

function refuse(path: string, why: string, hint: string = HINT, cause?: unknown): PagefaultError {
  return new PagefaultError('E_CONFIG', `policy ${path}: ${why}`, {
    hint,
    ...(cause !== undefined && { cause }),
  });
}
