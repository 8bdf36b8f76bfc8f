import type { TraceSummary } from '@pagefault/lab';
import { formatNumber } from '../../terminal/index.js';

/** What a trace holds, for people. */
export function renderSummary({ header, pages, tokens, steps, sessions, ...judged }: TraceSummary): string {
  const counts = [
    [pages, 'pages'],
    [tokens, 'tokens'],
    [steps, 'steps'],
    [sessions, 'sessions'],
  ] as const;
  const needs = Object.entries(judged.needs).map(([kind, count]) => `${formatNumber(count)} ${kind}`);
  return [
    header === undefined ? 'no header' : `${header.id}: ${header.source}`,
    counts.map(([count, what]) => `${formatNumber(count)} ${what}`).join(', '),
    `needs: ${needs.join(', ')}`,
    judged.rankable
      ? 'policies may be ranked on it'
      : `too few needs to rank policies by: one kind must have ${judged.fewest}`,
  ].join('\n');
}
