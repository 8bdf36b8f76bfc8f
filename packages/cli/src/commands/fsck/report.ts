/** What a look at the archival index came to, for people. */
import type { ProcessIndex, ProcessInfo } from '@pagefault/kernel';
import { formatNumber, formatTable, printable } from '../../terminal/index.js';

/** What waits in the outbox is on its way, and what another embedder left is kept: neither is drift. */
export function isSound(index: ProcessIndex): boolean {
  return index.ghosts === 0 && index.missing + index.dead + index.unindexed === 0;
}

/** Texts that a repair embeds. */
export function wanted({ waiting, missing, dead, unindexed }: ProcessIndex): number {
  return waiting + missing + dead + unindexed;
}

/** Every text has its vector, but for those that the embedder refuses. */
export function isWhole({ waiting, missing, unindexed }: ProcessIndex): boolean {
  return waiting + missing + unindexed === 0;
}

const TITLES = {
  texts: 'texts',
  waiting: 'waiting',
  missing: 'missing',
  unindexed: 'not indexed yet',
  dead: 'given up',
  ghosts: 'ghosts',
} as const;

type Count = keyof typeof TITLES;

/** `left` is what a repair could not remove. */
export function renderIndexes(
  found: readonly ProcessIndex[],
  left: readonly ProcessIndex[],
  processes: readonly Pick<ProcessInfo, 'pid' | 'name'>[],
  repaired: boolean,
): string {
  const drifted = found.filter((index) => !isSound(index));
  const lines = [summary(found, drifted.length, left, repaired), ...formerLines(found)];
  return drifted.length === 0 ? lines.join('\n') : [tableOf(drifted, processes), ...lines].join('\n');
}

/** Columns in which something is. */
function tableOf(
  indexes: readonly ProcessIndex[],
  processes: readonly Pick<ProcessInfo, 'pid' | 'name'>[],
): string {
  const names = new Map(processes.map(({ pid, name }) => [pid, name]));
  const counts = (Object.keys(TITLES) as Count[]).filter((count) =>
    indexes.some((index) => index[count] > 0),
  );
  return formatTable(
    [
      { title: 'process', maxWidth: 40 },
      ...counts.map((count) => ({ title: TITLES[count], align: 'right' as const })),
    ],
    indexes.map((index) => [
      printable(names.get(index.pid) ?? index.pid),
      ...counts.map((count) => formatNumber(index[count])),
    ]),
  );
}

function summary(
  found: readonly ProcessIndex[],
  drifted: number,
  left: readonly ProcessIndex[],
  repaired: boolean,
): string {
  const texts = formatNumber(found.reduce((sum, index) => sum + index.texts, 0));
  const all = `${formatNumber(found.length)} ${found.length === 1 ? 'process' : 'processes'}, ${texts} texts`;
  if (drifted === 0) return `${all}: the index is what recall says`;
  if (!repaired)
    return `${all}: ${formatNumber(drifted)} differ from recall; \`pagefault fsck --repair\` removes the difference`;
  const open = left.reduce((sum, index) => sum + wanted(index) + index.ghosts, 0);
  if (open === 0) return `${all}: repaired`;
  return `${all}: ${formatNumber(open)} still to be done; that goes on whenever a process runs, or run this again`;
}

function formerLines(found: readonly ProcessIndex[]): readonly string[] {
  const vectors = found.flatMap(({ former }) => former).reduce((sum, scope) => sum + scope.vectors, 0);
  if (vectors === 0) return [];
  return [`${formatNumber(vectors)} vectors of former embedders are kept: whoever changes back needs them`];
}

export interface Rebuilt {
  /** The length of the old index's vectors. */
  readonly from: number;
  readonly isFinished: boolean;
}

export function renderRebuilt({ from, isFinished }: Rebuilt): string {
  if (isFinished) return `the index was made anew; the old one, of ${from} numbers a vector, is removed`;
  return `the new index is not whole yet: the old one, of ${from} numbers a vector, is kept; run this again to go on`;
}

/** Of an index that cannot be opened, because its vectors have another length. */
export function renderPlan(
  found: readonly ProcessIndex[],
  { message }: { readonly message: string },
): string {
  const texts = formatNumber(found.reduce((sum, index) => sum + index.texts, 0));
  return [
    message,
    `\`pagefault fsck --repair\` makes the index anew: ${texts} texts are embedded, as far as an earlier run has not done it;`,
    'the old index is kept until the new one is whole',
  ].join('\n');
}
