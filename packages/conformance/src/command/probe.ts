import { PagefaultError } from '@pagefault/contracts';
import type { Initializer } from '../initializer.js';
import { Hanging, within } from './within.js';

/**
 * One instance is made, opened and closed before the suite is: what is wrong with the initializer is told once, and not
 * by each of a hundred cases. Each step has `limit` milliseconds. Errors: `E_CONFIG`.
 */
export async function probe(initializer: Initializer, limit: number): Promise<void> {
  const instance: unknown = await attempt(initializer, 'create', limit, () => initializer.create());
  const { driver } = (typeof instance === 'object' && instance !== null ? instance : {}) as {
    driver?: unknown;
  };
  checkDriver(initializer, driver, instance);
  await attempt(initializer, 'open of its driver', limit, () => driver.open());
  await attempt(initializer, 'close of its driver', limit, () => driver.close());
  // Of the right kind: `checkDriver` has seen it.
  await attempt(initializer, 'destroy', limit, () => initializer.destroy?.(instance as never));
}

/** Runs a function of the initializer, for at most `limit` milliseconds. Errors: `E_CONFIG`. */
export async function attempt<T>(
  { name }: Initializer,
  what: string,
  limit: number,
  work: () => Promise<T> | T,
): Promise<T> {
  try {
    return await within(limit, Promise.resolve(work()));
  } catch (cause) {
    const reason = reasonOf(cause);
    const hint = PagefaultError.is(cause) && cause.hint !== undefined ? `${cause.hint}; ` : '';
    throw new PagefaultError('E_CONFIG', `${name}: ${what} failed: ${reason}`, {
      hint: `${hint}every case begins with it, so nothing was tested; PAGEFAULT_DEBUG=1 shows the whole stack`,
      cause,
    });
  }
}

interface Head {
  readonly kind: unknown;
  open(): Promise<void>;
  close(): Promise<void>;
}

function checkDriver(initializer: Initializer, driver: unknown, instance: unknown): asserts driver is Head {
  const { kind, name } = initializer;
  const head = (typeof driver === 'object' && driver !== null ? driver : {}) as Partial<Head>;
  if (typeof head.open !== 'function' || typeof head.close !== 'function')
    throw new PagefaultError('E_CONFIG', `${name}: \`create\` gave no driver`, {
      hint: 'it gives an object with the member `driver`, which has `open` and `close`',
    });
  if (head.kind !== kind)
    throw new PagefaultError('E_CONFIG', `${name}: \`create\` gave a driver of kind ${String(head.kind)}`, {
      hint: `the initializer says ${kind}: correct one of the two`,
    });
  if (kind === 'archival' && typeof (instance as { dimension?: unknown }).dimension !== 'number')
    throw new PagefaultError('E_CONFIG', `${name}: \`create\` gave no \`dimension\``, {
      hint: 'an archival instance is { driver, dimension }: the length of its vectors, at least 4',
    });
}

function reasonOf(cause: unknown): string {
  if (cause instanceof Hanging) return cause.message;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
