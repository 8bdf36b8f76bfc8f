import { Option } from 'commander';

export function policyOption(names: readonly string[]): Option {
  const help = `names, or paths of modules of yours, apart by spaces or commas; known: ${names.join(', ')}`;
  return new Option('--policy <names...>', help).default([...names], 'all that are known');
}

/** Apart by spaces or commas. */
export function namesOf(given: readonly string[]): string[] {
  return given.flatMap((names) => names.split(',')).filter((name) => name !== '');
}
