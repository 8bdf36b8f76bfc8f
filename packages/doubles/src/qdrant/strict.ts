/** Strict mode: what a collection refuses so that no request is slow. Qdrant Cloud has it on. */
import { fieldConditions } from './filter.js';
import { badRequest } from './refusal.js';
import type { Collection, FieldCondition, Filter } from './types.js';

export function checkLimit({ strict }: Collection, limit: number): void {
  const most = strict.max_query_limit;
  if (strict.enabled !== true || most === undefined || limit <= most) return;
  throw badRequest(
    `Limit exceeded ${limit} > ${most} for "limit". Help: Reduce the "limit" parameter to or below ${most}.`,
  );
}

export function checkBatch({ strict }: Collection, size: number): void {
  const most = strict.upsert_max_batchsize;
  if (strict.enabled !== true || most === undefined || size <= most) return;
  throw badRequest(
    `Limit exceeded ${size} > ${most} for "upsert limit". Help: Reduce the "upsert limit" parameter to or below ${most}.`,
  );
}

export function checkExact({ strict }: Collection, exact: boolean): void {
  if (strict.enabled !== true || strict.search_allow_exact !== false || !exact) return;
  throw badRequest('Exact search disabled!. Help: Set exact=false.');
}

export function checkFilter(
  collection: Collection,
  filter: Filter | null | undefined,
  what: 'retrieve' | 'update',
): void {
  const { strict } = collection;
  if (strict.enabled !== true || strict[`unindexed_filtering_${what}`] !== false) return;
  for (const condition of fieldConditions(filter)) {
    const missing = missingIndex(collection, condition);
    if (missing === undefined) continue;
    throw badRequest(
      `Index required but not found for "${condition.key}" of one of the following types: [${missing}]. Help: Create an index for this key or use a different filter.`,
    );
  }
}

/** The kinds of index that would serve a condition; undefined when there is one. */
export function missingIndex({ indexes }: Collection, condition: FieldCondition): string | undefined {
  const wanted = kindsFor(condition);
  const type = indexes.get(condition.key)?.['type'];
  return typeof type === 'string' && wanted.includes(type) ? undefined : wanted.join(', ');
}

function kindsFor({ match, range }: FieldCondition): readonly string[] {
  if (range)
    return Object.values(range).some((bound) => typeof bound === 'string')
      ? ['datetime']
      : ['float', 'integer'];
  const value = match?.value ?? match?.any?.[0] ?? match?.except?.[0];
  if (typeof value === 'number') return ['integer'];
  return typeof value === 'boolean' ? ['bool'] : ['keyword'];
}
