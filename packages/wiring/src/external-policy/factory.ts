/** Policies that are programs of their own, in any language: `exec:python3 my_policy.py`. */
import type { PageId, Tokens } from '@pagefault/contracts';
import type { PagingPolicy, PolicyFactory, VictimQuery } from '@pagefault/kernel';
import { type ChildOptions, PolicyChild } from './child.js';
import { readCommand } from './command.js';
import { type Hello, restoreAnswer, snapshotAnswer, victimsAnswer } from './protocol.js';

/** One program for all the policies that it makes; it ends when this is closed, or this program ends. */
export interface ExternalPolicy extends PolicyFactory {
  /** Starts it, which else the first policy does. Errors: as a policy's functions. */
  open(): void;
  close(): Promise<void>;
}

export type ExternalPolicyOptions = Partial<ChildOptions>;

/**
 * A kernel stands still while it waits for victims: five seconds are long for that, and well within a lease. Twenty are for a
 * start on a busy machine with large libraries.
 */
const LIMITS = { answerMs: 5_000, helloMs: 20_000 };

/**
 * Errors: `E_CONFIG` for a command that is none. What fails later is thrown by the policy's functions: `E_CONFIG`, `E_TIMEOUT`,
 * `E_PROTOCOL`. After a failure the program is started anew for the next policy.
 */
export function externalPolicy(policy: string, options: ExternalPolicyOptions = {}): ExternalPolicy {
  const command = readCommand(policy);
  const all: ChildOptions = {
    cwd: process.cwd(),
    onNote: (line) => void process.stderr.write(`${policy.slice('exec:'.length)}: ${line}\n`),
    ...LIMITS,
    ...options,
  };
  const children = new Set<PolicyChild>();
  let child: PolicyChild | undefined;
  let hello: Hello | undefined;
  let queues = 0;
  const living = (): PolicyChild => {
    if (child && !child.death) return child;
    child = new PolicyChild(command, all);
    children.add(child);
    return child;
  };
  const make = (): PagingPolicy => {
    const own = living();
    // Known once, it is known for good: a program that fails later is the guard's matter, not the maker's.
    hello ??= own.hello();
    return policyOf(own, hello, ++queues);
  };
  return Object.assign(make, {
    open: () => void (hello ??= living().hello()),
    close: async () => {
      await Promise.all([...children].map((one) => one.close()));
      children.clear();
    },
  });
}

const forgotten = new FinalizationRegistry<{ readonly child: PolicyChild; readonly of: number }>(
  ({ child, of }) => child.forget(of),
);

function policyOf(child: PolicyChild, { id, version, snapshots }: Hello, of: number): PagingPolicy {
  const residents = new Map<PageId, Tokens>();
  const policy: PagingPolicy = {
    id,
    version,
    configure: ({ capacity, unit }) => child.tell({ of, type: 'configure', capacity, unit }),
    onBirth: (page) => {
      residents.set(page.id, page.tokens);
      child.tell({ of, type: 'birth', page });
    },
    onNeed: (needs, step) => child.tell({ of, type: 'need', needs, step }),
    onResidency: (page, now, cause) => {
      if (now === 'evicted') residents.delete(page);
      child.tell({ of, type: 'residency', page, now, cause });
    },
    victims: (ask) => victimsOf(child, of, residents, ask),
    onBoundary: (kind) => child.tell({ of, type: 'boundary', kind }),
    snapshot: (maxBytes) => {
      if (!snapshots) return new Uint8Array();
      const { snapshot } = child.ask({ of, type: 'snapshot', maxBytes }, snapshotAnswer);
      const bytes = new TextEncoder().encode(snapshot ?? '');
      return bytes.length <= maxBytes ? bytes : new Uint8Array();
    },
    restore: (bytes, written) => {
      if (!snapshots || bytes.length === 0) return false;
      const snapshot = new TextDecoder().decode(bytes);
      return child.ask({ of, type: 'restore', snapshot, version: written }, restoreAnswer).restored;
    },
  };
  forgotten.register(policy, { child, of });
  return policy;
}

function victimsOf(
  child: PolicyChild,
  of: number,
  residents: ReadonlyMap<PageId, Tokens>,
  { release, isEligible, tokensOf, focus, step }: VictimQuery,
): readonly PageId[] {
  const eligible = [...residents].filter(([page]) => isEligible(page));
  const { victims } = child.ask(
    {
      of,
      type: 'victims',
      release,
      eligible: eligible.map(([page]) => page),
      sizes: eligible.map(([page, atBirth]) => tokensOf?.(page) ?? atBirth),
      ...(focus && { focus }),
      step,
    },
    victimsAnswer,
  );
  const stranger = victims.find((page) => !residents.has(page));
  if (stranger !== undefined) throw child.refuse(`names page ${stranger}, which is not resident`);
  return victims;
}
