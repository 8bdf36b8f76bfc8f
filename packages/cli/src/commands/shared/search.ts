import type { Command } from 'commander';
import {
  codePoints,
  type SearchHit,
  type SearchRequest,
  type SearchResults,
  sliceCodePoints,
} from '@pagefault/kernel';
import { formatNumber } from '../../terminal/index.js';
import type { Io } from './io.js';
import { type CommonOptions, instant, wholeNumber } from './options.js';
import { createPrinter } from './print.js';
import { printable } from './printable.js';

export interface SearchOptions extends CommonOptions {
  readonly page?: number;
  readonly size?: number;
  readonly since?: number;
  readonly until?: number;
}

export function withSearch(command: Command): Command {
  return command
    .option('--page <n>', 'page of results, from 0', wholeNumber(0))
    .option('--size <n>', 'results a page', wholeNumber(1))
    .option('--since <time>', 'only what was said at this time or later', instant)
    .option('--until <time>', 'only what was said before this time', instant);
}

export function requestOf(
  collection: SearchRequest['collection'],
  query: string,
  { page, size, since, until }: SearchOptions,
): SearchRequest {
  return {
    collection,
    query,
    ...(page !== undefined && { page }),
    ...(size !== undefined && { size }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
  };
}

export function showResults(io: Io, results: SearchResults, { json }: SearchOptions): void {
  const printer = createPrinter(io);
  if (json) return printer.json(results);
  const { hits, total, page, pages } = results;
  const { dim } = printer.colours;
  for (const hit of hits) printer.line(`${dim(headOf(hit))}\n${indented(excerpt(hit.text))}\n`);
  printer.note(footOf(total, page, pages));
}

/** Characters of a hit that are shown: some twenty lines. A message may have millions. */
const LONGEST_SHOWN = 2000;

function excerpt(text: string): string {
  const start = printable(sliceCodePoints(text, 0, LONGEST_SHOWN));
  const left = codePoints(text) - LONGEST_SHOWN;
  return left <= 0 ? start : `${start}… (${formatNumber(left)} more characters; --json shows them)`;
}

function footOf(total: number, page: number, pages: number): string {
  if (total === 0) return 'nothing was found';
  const results = `${formatNumber(total)} ${total === 1 ? 'result' : 'results'}`;
  if (page >= pages) return `${results}; the last page is --page ${pages - 1}`;
  return page + 1 < pages ? `${results}; the next are on --page ${page + 1} of 0 to ${pages - 1}` : results;
}

function headOf({ handle, at, role, speaker, source }: SearchHit): string {
  const who = speaker ?? role ?? source ?? '';
  const time = new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return [handle, time, printable(who)].filter((part) => part !== '').join('  ');
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
}
