/** What an erasure came to, for people. */
import type { ErasedCounts, ErasureReport } from '@pagefault/kernel';
import { formatNumber, formatTable, printable } from '../../terminal/index.js';

const TITLES: Readonly<Record<keyof ErasedCounts, string>> = {
  messages: 'messages',
  copies: 'copies',
  pages: 'pages',
  passages: 'passages',
  documents: 'documents',
  vectors: 'vectors',
  waiting: 'waiting',
  answers: 'answers',
  blockValues: 'block texts',
};

const SUMMARIES: Readonly<Record<ErasureReport['summary'], string>> = {
  none: '',
  kept: 'kept',
  'made-again': 'made again',
  gone: 'gone',
};

/** A row a process, forks below those whose history they read; then what is left to do, a line each. */
export function renderErasure(reports: readonly ErasureReport[]): string {
  const all = reports.flatMap((report) => withDescendants(report));
  if (all.length === 0) return 'nothing was found';
  return [tableOf(all), ...all.flatMap(({ report }) => notesOf(report))].join('\n');
}

interface Nested {
  readonly report: ErasureReport;
  readonly depth: number;
}

function withDescendants(report: ErasureReport, depth = 0): readonly Nested[] {
  return [{ report, depth }, ...report.descendants.flatMap((one) => withDescendants(one, depth + 1))];
}

/** Columns in which something is. */
function tableOf(all: readonly Nested[]): string {
  const names = Object.keys(TITLES) as (keyof ErasedCounts)[];
  const used = names.filter((name) => all.some(({ report }) => report.erased[name] > 0));
  const hasSummary = all.some(({ report }) => SUMMARIES[report.summary] !== '');
  return formatTable(
    [
      { title: 'process', maxWidth: 40 },
      { title: 'erased' },
      ...used.map((name) => ({ title: TITLES[name], align: 'right' as const })),
      ...(hasSummary ? [{ title: 'summary' }] : []),
    ],
    all.map(({ report, depth }) => [
      `${'└'.repeat(depth)} ${printable(report.name)}`.trimStart(),
      erasedOf(report),
      ...used.map((name) => formatNumber(report.erased[name])),
      ...(hasSummary ? [SUMMARIES[report.summary]] : []),
    ]),
  );
}

function erasedOf({ whole, done }: ErasureReport): string {
  if (!done) return 'not all yet';
  return whole ? 'whole' : 'yes';
}

function notesOf(report: ErasureReport): readonly string[] {
  const { name, open, recordings, quotedBy, sharedBlocks, atAncestors } = report;
  const quoting = Object.entries({
    block: quotedBy.blocks,
    message: quotedBy.messages,
    passage: quotedBy.passages,
    timer: quotedBy.timers,
    'waiting message': quotedBy.waiting,
    document: quotedBy.documents,
  }).flatMap(([kind, ids]) => (ids.length === 0 ? [] : [`${kind} ${ids.join(', ')}`]));
  return [
    ...open.map((sentence) => `not done yet: ${sentence}`),
    ...recordings.deleted.map((recording) => `recording deleted: ${recording}`),
    ...recordings.elsewhere.map((place) => `recordings were made in ${place}: delete them there`),
    ...quoting.map((what) => `still quoted by ${what}: edit or erase it`),
    ...(quotedBy.complete ? [] : ['others may quote it too: more went than is looked for']),
    ...sharedBlocks.map((id) => `what it wrote into shared block ${id} stays there`),
    ...atAncestors.map(
      ({ pid, count }) => `${formatNumber(count)} more in the log of ancestor ${pid}: erase it there`,
    ),
  ].map((line) => printable(`${name}: ${line}`));
}
