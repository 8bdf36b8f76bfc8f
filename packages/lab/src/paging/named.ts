import { inspect } from 'node:util';
import type { PageId } from '@pagefault/contracts';
import type { PagingPolicy, VictimQuery } from '@pagefault/kernel';

/**
 * Whom a policy names; of a trace of so many pages. Pages that may not go are passed over later, as the kernel does; but what
 * is no page at all is a mistake in the policy, which else would be paged as FIFO without a word. Errors: `TypeError`.
 */
export function namedBy(policy: PagingPolicy, query: VictimQuery, pages: number): readonly PageId[] {
  const named: unknown = policy.victims(query);
  if (!Array.isArray(named))
    throw new TypeError(`victims() gave ${shown(named)} at step ${query.step}, not a list of pages`);
  for (const id of named as readonly unknown[])
    if (!(typeof id === 'number' && Number.isInteger(id) && id >= 0 && id < pages))
      throw new TypeError(
        `victims() named ${shown(id)} at step ${query.step}, which is no page: give the id of one`,
      );
  return named as readonly PageId[];
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  if (value instanceof Promise) return 'a promise';
  return inspect(value, { depth: 1, breakLength: Infinity, maxStringLength: MOST_SHOWN }).slice(
    0,
    MOST_SHOWN,
  );
}
