/** Policies on a classic trace, over sizes of memory, beside MIN, which no policy beats where pages have one size. */
import type { PolicyFactory } from '@pagefault/kernel';
import { column, type Row, type Table } from '../run/table.js';
import { simulateMin } from './min.js';
import type { Requests } from './requests.js';
import { type DemandReport, simulateDemand } from './simulate.js';

/** Pages, or bytes where pages have sizes; or a share of all pages or bytes of the trace. */
export type Capacity = { readonly size: number } | { readonly share: number };

/** Rows by size, and of one size by misses. */
export function demandTable(
  requests: Requests,
  capacities: readonly Capacity[],
  policies: readonly PolicyFactory[],
): Table {
  const whole = requests.sizes?.reduce((sum, size) => sum + size, 0) ?? requests.distinct;
  const sizes = capacities.map((one) =>
    'size' in one ? one.size : Math.max(1, Math.round(whole * one.share)),
  );
  const rows = [...new Set(sizes)]
    .toSorted((a, b) => a - b)
    .flatMap((size) => rowsAt(requests, size, policies));
  const unit = requests.sizes ? 'bytes' : 'pages';
  const bytes = requests.sizes ? [column('byteMisses', 'bytes missed', 'share')] : [];
  return {
    name: 'rows',
    title: 'Misses of policies, as the caching literature counts them',
    columns: [
      column('policy', 'policy', 'text'),
      column('size', `size (${unit})`, 'count'),
      column('requests', 'requests', 'count'),
      column('misses', 'misses', 'count'),
      column('missRatio', 'miss ratio', 'share'),
      ...bytes,
      column('evictions', 'evictions', 'count'),
    ],
    rows,
  };
}

function rowsAt(requests: Requests, size: number, policies: readonly PolicyFactory[]): Row[] {
  const total = bytesOf(requests);
  const rowOf = (policy: string, { misses, missBytes, evictions, ...report }: DemandReport): Row => ({
    policy,
    size,
    requests: report.requests,
    misses,
    missRatio: misses / Math.max(1, report.requests),
    ...(requests.sizes && { byteMisses: missBytes / Math.max(1, total) }),
    evictions,
  });
  const rows = policies.map((make) => {
    const policy = make();
    return rowOf(policy.id, simulateDemand(policy, requests, size));
  });
  const min = rowOf('min', simulateMin(requests, size));
  return [min, ...rows.toSorted((a, b) => Number(a['misses']) - Number(b['misses']))];
}

function bytesOf({ pages, sizes }: Requests): number {
  return pages.reduce((sum, page) => sum + (sizes?.[page] ?? 1), 0);
}
