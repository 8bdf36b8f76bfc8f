import { PagefaultError } from '@pagefault/contracts';
import type { Kernel, Process } from '@pagefault/kernel';
import { DEFAULT_PROCESS } from './options.js';

/** The process of that name; it is made when there is none. */
export async function findOrSpawn(kernel: Kernel, name: string = DEFAULT_PROCESS): Promise<Process> {
  return (await kernel.find(name)) ?? (await kernel.spawn({ name }));
}

/** Errors: `E_NOT_FOUND`, naming those that are there. */
export async function findProcess(kernel: Kernel, name: string = DEFAULT_PROCESS): Promise<Process> {
  const process = await kernel.find(name);
  if (process) return process;
  const names = (await kernel.list()).map((record) => record.name);
  throw new PagefaultError('E_NOT_FOUND', `there is no process "${name}"`, {
    hint:
      names.length === 0 ? 'the memory is empty: `pagefault chat` begins one' : `there are: ${listed(names)}`,
  });
}

/** More of them would hide the message. */
const MOST_NAMES = 12;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ');
  return names.length > MOST_NAMES
    ? `${shown} and ${names.length - MOST_NAMES} more (\`pagefault ps\`)`
    : shown;
}
