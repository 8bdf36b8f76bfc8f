/** From one configuration's store to another's. */
import { isDeepStrictEqual } from 'node:util';
import { PagefaultError } from '@pagefault/contracts';
import { countOwners, migrate, type MigratedOwner, type Resource } from '@pagefault/kernel';
import type { Config } from './config/index.js';
import { buildRecall } from './stack.js';
import { configOf, type StartOptions } from './start.js';

export interface MigrateOptions {
  readonly from: StartOptions;
  readonly to: StartOptions;
  /** Told once, before the first: how many processes and shared blocks there are. */
  readonly onCount?: (count: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Brings all processes and shared blocks from a store to another, one at a time; see `migrate` of the kernel for what is
 * compared and what is left behind. Only the recall drivers of the two configurations are opened, and closed at the end.
 * Errors: `E_CONFIG` when both name one store or one of them keeps nothing; `E_CONFLICT`; those of the stores.
 */
export async function* migrateStores(options: MigrateOptions): AsyncGenerator<MigratedOwner> {
  const { signal, onCount } = options;
  const [source, target] = [await configOf(options.from), await configOf(options.to)];
  checkPlaces(source, target);
  const opened: Resource[] = [];
  try {
    const from = await openRecall(source, opened, signal);
    const to = await openRecall(target, opened, signal);
    onCount?.(await countOwners(from));
    yield* migrate(from, to, signal);
  } finally {
    for (const part of opened.reverse()) await part.close();
  }
}

async function openRecall(config: Config, opened: Resource[], signal: AbortSignal | undefined) {
  const { recall, resources } = await buildRecall(config, () => undefined);
  for (const part of [...resources, recall]) {
    opened.push(part);
    await part.open(signal);
  }
  return recall;
}

function checkPlaces({ recall: from }: Config, { recall: to }: Config): void {
  const [driver] = [from, to].filter((one) => one.driver === 'memory').map((one) => one.driver);
  if (driver)
    throw new PagefaultError(
      'E_CONFIG',
      `recall: ${driver} ends with its program: there is nothing to migrate`,
      {
        hint: 'name a store that lasts: pglite or postgres',
      },
    );
  if (isDeepStrictEqual(from, to))
    throw new PagefaultError('E_CONFIG', 'recall: both configurations name the same store', {
      hint: 'name another database, schema or data directory in one of them',
    });
}
