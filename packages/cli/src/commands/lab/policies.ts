import { PagefaultError } from '@pagefault/contracts';
import { POLICIES } from '@pagefault/kernel';
import type { Contestant } from '@pagefault/lab';
import { Option } from 'commander';
import type { Io } from '../shared/io.js';
import type { ClosablePolicy } from '../shared/policies.js';

const OWN = 'names, paths of modules of yours, or exec: and the command of a program';

export function policyOption(names: readonly string[]): Option {
  const help = `${OWN}, apart by spaces or commas; known: ${names.join(', ')}`;
  return new Option('--policy <names...>', help).default([...names], 'all that are known');
}

/** Where schemes may be named too. */
export function contestantOption(policies?: readonly string[]): Option {
  const help = `${OWN}, apart by spaces or commas; \`pagefault lab policies\` lists policies and schemes`;
  const option = new Option('--policy <names...>', help);
  return policies
    ? option.default([...policies], policies.join(', '))
    : option.default(Object.keys(POLICIES), 'all policies that ship');
}

/** Apart by spaces or commas; the command of a program goes on to the end of its argument. */
export function namesOf(given: readonly string[]): string[] {
  return given.flatMap((names) => [...names.matchAll(/exec:.*|[^,]+/gs)].map(([name]) => name));
}

/** Where contestants come from. */
export interface Loading {
  readonly io: Pick<Io, 'cwd'>;
  readonly loadPolicy: (nameOrPath: string, folder: string) => Promise<ClosablePolicy>;
}

/** Schemes and policies by name, policies by path or command. They are to be closed. Errors: `E_CONFIG`, listing those that are known. */
export async function loadContestants(
  { io, loadPolicy }: Loading,
  given: readonly string[],
): Promise<Contestant[]> {
  const { findScheme, SCHEMES } = await import('@pagefault/lab');
  const schemes = SCHEMES.map(({ name }) => name).join(', ');
  const load = (name: string): Promise<ClosablePolicy> =>
    loadPolicy(name, io.cwd).catch((error: unknown) => {
      if (!PagefaultError.is(error) || !error.message.endsWith('is not known')) throw error;
      throw new PagefaultError(error.code, error.message, {
        hint: `${error.hint}; known schemes: ${schemes}`,
      });
    });
  return Promise.all(namesOf(given).map(async (name) => findScheme(name) ?? (await load(name))));
}
