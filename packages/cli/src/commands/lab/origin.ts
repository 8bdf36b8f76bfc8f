/** What a study was made of, for its manifest. Paths are told from the manifest's folder, so that it can move with them. */
import { createHash } from 'node:crypto';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { POLICIES, readPolicyName } from '@pagefault/kernel';
import {
  type Contestant,
  findScheme,
  isForesight,
  isScheme,
  type Manifest,
  type PagingSetup,
  sha256Of,
} from '@pagefault/lab';
import type { TokenPrices } from '@pagefault/contracts';
import type { Request } from './request.js';

export interface Origin {
  readonly request: Request;
  /** Absolute paths. */
  readonly traces: Manifest['traces'];
  readonly policies: Manifest['policies'];
  readonly setup: Partial<Omit<PagingSetup, 'budget'>>;
  readonly prices: TokenPrices;
}

export async function traceOrigin(file: string, id: string): Promise<Manifest['traces'][number]> {
  return { id, path: file, sha256: await sha256Of(file) };
}

/** `given`: the name or path that it was asked for by. */
export async function policyOrigin(
  given: string,
  contestant: Contestant,
  cwd: string,
): Promise<Manifest['policies'][number]> {
  if (isScheme(contestant)) {
    const { make, name, setup } = contestant;
    return { name, version: make().version, setup };
  }
  const { id: name, version } = contestant();
  if (isProgram(given)) return { name, version, sha256: await programHash(given, cwd) };
  if (!isOwn(given)) return { name, version };
  const path = resolve(cwd, given);
  return { name, version, path, sha256: await sha256Of(path) };
}

/** It runs where the command runs that names it; nobody knows which of its words are paths. */
const isProgram = (given: string) => given.startsWith('exec:');

/** Of its words, and of the files among them. */
async function programHash(given: string, cwd: string): Promise<string> {
  const words = given.split(/[\s"':]+/).filter((word) => word !== '');
  const hashes = words.map((word) => sha256Of(resolve(cwd, word)).catch(() => word));
  return createHash('sha256')
    .update((await Promise.all(hashes)).join('\n'))
    .digest('hex');
}

/** A module by path: what is known by name is none. */
function isOwn(given: string): boolean {
  return (
    !isProgram(given) &&
    !Object.hasOwn(POLICIES, readPolicyName(given).name) &&
    findScheme(given) === undefined &&
    !isForesight(given)
  );
}

/** The request with its paths as they are from a folder; `from` is the folder that they are relative to now. */
export function requestFrom(request: Request, from: string, folder: string): Request {
  return {
    ...request,
    traces: request.traces.map((path) => pathFrom(folder, resolve(from, path))),
    policies: request.policies.map((name) => (isOwn(name) ? pathFrom(folder, resolve(from, name)) : name)),
  };
}

/** The same, with all paths absolute. */
export function requestAt(request: Request, folder: string): Request {
  return {
    ...request,
    traces: request.traces.map((path) => resolve(folder, path)),
    policies: request.policies.map((name) => (isOwn(name) ? resolve(folder, name) : name)),
  };
}

/** With slashes, as every system reads them; another drive's path stays absolute. */
export function pathFrom(folder: string, path: string): string {
  const told = relative(folder, path);
  return isAbsolute(told) ? told : told.split(sep).join('/');
}
