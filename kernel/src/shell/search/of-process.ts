import type { Lineage } from '@pagefault/contracts';
import type { SearchRequest, SearchResults } from '../../core/search-results.js';
import { UTC } from '../../core/zone.js';
import type { Limits } from '../../limits.js';
import type { Runner } from '../runner.js';
import type { Services } from '../services.js';
import { search } from './searcher.js';

/** What a process is told from outside of a turn; what a turn under way has said so far is not found. */
export async function searchProcess(
  { state, config }: Pick<Runner, 'state' | 'config'>,
  { lineage, services, limits }: SearchHost,
  request: SearchRequest,
  signal: AbortSignal | undefined,
): Promise<SearchResults> {
  const { head, turn } = state;
  const { zone = UTC } = config;
  const before = turn?.firstSeq ?? Number.MAX_SAFE_INTEGER;
  const now = services.clock.now();
  const view = { lineage, head, before, pageSize: limits.searchPageSize, zone, now };
  return search({ ...services.searchStack, recall: services.recall }, view, request, signal);
}

export interface SearchHost {
  readonly lineage: Lineage;
  readonly services: Services;
  readonly limits: Limits;
}
