import { PagefaultError } from '@pagefault/contracts';
import { POLICIES, type PolicyFactory } from '@pagefault/kernel';
import type { Contestant } from '@pagefault/lab';
import { Option } from 'commander';
import type { Context } from '../shared/context.js';

export function policyOption(names: readonly string[]): Option {
  const help = `names, or paths of modules of yours, apart by spaces or commas; known: ${names.join(', ')}`;
  return new Option('--policy <names...>', help).default([...names], 'all that are known');
}

/** Where schemes may be named too. */
export function contestantOption(): Option {
  const help =
    'names of policies and schemes, or paths of modules of yours, apart by spaces or commas; `pagefault lab policies` lists them';
  return new Option('--policy <names...>', help).default(Object.keys(POLICIES), 'all policies that ship');
}

/** Apart by spaces or commas. */
export function namesOf(given: readonly string[]): string[] {
  return given.flatMap((names) => names.split(',')).filter((name) => name !== '');
}

/** Schemes and policies by name, policies by path. Errors: `E_CONFIG`, listing those that are known. */
export async function loadContestants(
  { io, wiring }: Context,
  given: readonly string[],
): Promise<Contestant[]> {
  const [{ findScheme, SCHEMES }, { loadPolicy }] = await Promise.all([import('@pagefault/lab'), wiring()]);
  const schemes = SCHEMES.map(({ name }) => name).join(', ');
  const load = (name: string): Promise<PolicyFactory> =>
    loadPolicy(name, io.cwd).catch((error: unknown) => {
      if (!PagefaultError.is(error) || !error.message.endsWith('is not known')) throw error;
      throw new PagefaultError(error.code, error.message, {
        hint: `${error.hint}; known schemes: ${schemes}`,
      });
    });
  return Promise.all(namesOf(given).map(async (name) => findScheme(name) ?? (await load(name))));
}
