import type { Command } from 'commander';
import {
  codePoints,
  localStamp,
  type SearchHit,
  type SearchRequest,
  type SearchResults,
  sliceCodePoints,
} from '@pagefault/kernel';
import { formatNumber, printable } from '../../terminal/index.js';
import type { Io } from './io.js';
import { type CommonOptions, instant, wholeNumber } from './options.js';
import { createPrinter } from './print.js';

export interface SearchOptions extends CommonOptions {
  readonly page?: number;
  readonly size?: number;
  readonly since?: number;
  readonly until?: number;
  readonly days?: NonNullable<SearchRequest['days']>;
  readonly zone?: string;
  readonly cursor?: string;
}

export function withSearch(command: Command): Command {
  return command
    .option('--page <n>', 'page of results, from 0', wholeNumber(0))
    .option('--size <n>', 'results a page', wholeNumber(1))
    .option('--since <time>', 'only what was said at this time or later', instant)
    .option('--until <time>', 'only what was said before this time', instant)
    .option('--days <from[..to]>', "only these days of the user's calendar, such as 2024-03-01", dayRange)
    .option(
      '--zone <name>',
      'the time zone of days and times, such as Europe/Berlin (default: of the process)',
    )
    .option('--cursor <cursor>', 'go on where the results ended that it came with (--json shows it)');
}

export function requestOf(
  collection: SearchRequest['collection'],
  query: string,
  { page, size, since, until, days, zone, cursor }: SearchOptions,
): SearchRequest {
  return {
    collection,
    query,
    ...(page !== undefined && { page }),
    ...(size !== undefined && { size }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(days !== undefined && { days }),
    ...(zone !== undefined && { zone }),
    ...(cursor !== undefined && { cursor }),
  };
}

/** One day, or the first and the last. */
function dayRange(text: string): NonNullable<SearchRequest['days']> {
  const [from = '', to = from] = text.split('..');
  return { from, to };
}

export function showResults(io: Io, results: SearchResults, { json }: SearchOptions): void {
  const printer = createPrinter(io);
  if (json) return printer.json(results);
  const { hits, zone } = results;
  const { dim } = printer.colours;
  for (const hit of hits) printer.line(`${dim(headOf(hit, zone))}\n${indented(excerpt(hit.text))}\n`);
  printer.note(footOf(results));
}

/** Characters of a hit that are shown: some twenty lines. A message may have millions. */
const LONGEST_SHOWN = 2000;

function excerpt(text: string): string {
  const start = printable(sliceCodePoints(text, 0, LONGEST_SHOWN));
  const left = codePoints(text) - LONGEST_SHOWN;
  return left <= 0 ? start : `${start}… (${formatNumber(left)} more characters; --json shows them)`;
}

function footOf({ total, page, pages, wordMatch, unranked = 0 }: SearchResults): string {
  if (total === 0) return 'nothing was found';
  const count = `${formatNumber(total)} ${total === 1 ? 'result' : 'results'}`;
  const notes = [
    ...(wordMatch ? [] : ['no word of the query was found: these are near in meaning, at best']),
    ...(unranked > 0 ? [`${formatNumber(unranked)} weaker ones were left out`] : []),
    ...(page >= pages ? [`the last page is --page ${pages - 1}`] : []),
    ...(page + 1 < pages ? [`the next are on --page ${page + 1} of 0 to ${pages - 1}`] : []),
  ];
  return [count, ...notes].join('; ');
}

function headOf({ handle, at, role, speaker, source, times = 1 }: SearchHit, zone: string): string {
  const who = speaker ?? role ?? source ?? '';
  const time = localStamp(at, zone).replace('T', ' ');
  const again = times > 1 ? `${formatNumber(times)} times, this the last` : '';
  return [handle, time, printable(who), again].filter((part) => part !== '').join('  ');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
