import type { Bills } from '@pagefault/kernel';
import { formatDollars, formatNumber, formatTable } from '../../terminal/index.js';

/** What each processor and embedder was asked and charges; those that nobody knows the price of last. */
export function renderBills(bills: Bills): string {
  const rows = Object.entries(bills).toSorted(([, a], [, b]) => (b.spend ?? -1) - (a.spend ?? -1));
  const hasUnknown = rows.some(([, { unknown = 0 }]) => unknown > 0);
  return formatTable(
    [
      { title: 'charged by', maxWidth: 40 },
      ...['requests', 'tok in', 'cached', 'tok out', 'spent'].map(
        (title) => ({ title, align: 'right' }) as const,
      ),
      ...(hasUnknown ? [{ title: 'cost unknown', align: 'right' } as const] : []),
    ],
    rows.map(([by, { requests, input, cached, output, spend, unknown = 0 }]) => [
      by,
      ...[requests, input, cached, output].map((value) => formatNumber(value)),
      formatDollars(spend),
      ...(hasUnknown ? [unknown === 0 ? '' : formatNumber(unknown)] : []),
    ]),
  );
}
