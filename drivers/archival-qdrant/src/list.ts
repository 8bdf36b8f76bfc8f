import type { ListQuery, Scope, Slice } from '@pagefault/contracts';
import { parseCursor } from '@pagefault/driver-kit';
import { validate } from 'uuid';
import { NAME, refusal } from './errors.js';
import { idOf, inScope, type Search } from './query.js';

/**
 * In the order of the points' own ids, which is the one that Qdrant has a cursor for: it names the next point, and what
 * comes or goes before or after it disturbs nothing (D15).
 */
export async function listIds(
  { caller, options: { collection }, most }: Search,
  scope: Scope,
  { after, limit }: ListQuery,
  signal: AbortSignal | undefined,
): Promise<Slice<string>> {
  const body = {
    collection_name: collection,
    filter: { must: [inScope(scope)] },
    with_payload: ['id'],
    with_vector: false,
    limit: Math.min(limit, most),
    ...(after !== undefined && { offset: readCursor(after) }),
  };
  const found = await caller.call('scroll', (api, init) => api.scrollPoints(body, init), signal);
  const items = found.points.map(idOf);
  const next = found.next_page_offset;
  return typeof next === 'string' ? { items, cursor: JSON.stringify([next]) } : { items };
}

function readCursor(cursor: string): string {
  const next = String(parseCursor(NAME, cursor, ['string'])[0]);
  if (validate(next)) return next;
  throw refusal(
    'E_INVALID',
    `the cursor ${cursor} is not one of ours`,
    'pass the cursor of the slice before',
  );
}
