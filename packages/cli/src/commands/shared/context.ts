import type { Inspector } from '@pagefault/wiring';
import { bannerOf } from './banner.js';
import type { Io } from './io.js';
import type { Machine, Wiring } from './machine.js';
import { type CommonOptions, type RebuildOption, startOptions } from './options.js';
import { createPrinter } from './print.js';

export interface Context {
  readonly io: Io;
  readonly wiring: () => Promise<Wiring>;
  /** What the program shall end with. */
  finish(exitCode: number): void;
}

/**
 * Starts the machine, and closes it whatever becomes of the work. With `announce` people are told what runs; else only
 * what they should know.
 */
export async function withMachine<T>(
  { io, wiring }: Context,
  options: CommonOptions & RebuildOption,
  work: (machine: Machine) => Promise<T>,
  announce = false,
): Promise<T> {
  const { start } = await wiring();
  return closing(await start(startOptions(options, io)), (machine) => {
    const [first, ...notes] = bannerOf(machine, io);
    for (const line of announce ? [first ?? '', ...notes] : notes) createPrinter(io).note(line);
    return work(machine);
  });
}

/**
 * Looks at the machine, or has it do something to its processes; works beside a program that runs it. With `create` a store
 * that is not there is made.
 */
export async function withInspector<T>(
  { io, wiring }: Context,
  { create = false, ...options }: CommonOptions & { readonly create?: boolean },
  work: (inspector: Inspector) => Promise<T>,
): Promise<T> {
  const { inspect } = await wiring();
  return closing(await inspect({ ...startOptions(options, io), create }), work);
}

/** The work's failure is told first; one of closing is not lost either. */
async function closing<R extends { close(): Promise<void> }, T>(
  resource: R,
  work: (resource: R) => Promise<T>,
): Promise<T> {
  let result: T;
  try {
    result = await work(resource);
  } catch (error) {
    const failures = await resource.close().then(
      () => [],
      (closingError: unknown) => [closingError],
    );
    if (failures.length === 0) throw error;
    throw new AggregateError([error, ...failures], `${messageOf(error)}; closing failed too`, {
      cause: error,
    });
  }
  await resource.close();
  return result;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
