/**
 * A summary of what a summary stood for, without what was erased: made again from the log, in slices, so that a history of
 * any length passes through a bounded memory. The summariser cuts a slice into pieces that fit it.
 */
import type { Lineage, RecallDriver, Seq } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { NamedBill } from '../../core/bills.js';
import { showsErased } from '../../core/erasing.js';
import { factCharacters, summaryTokens } from '../../core/pager.js';
import type { ProcessState, ResidentMessage, Summary } from '../../core/state.js';
import { foldSummary, summaryInput } from '../../core/summary.js';
import type { Runner } from '../runner.js';
import type { Services } from '../services.js';
import { SLICE } from '../storage.js';
import { makeSummary } from '../turn/summarising.js';

/** Null when no message is left that it could stand for. Errors: `E_ABORTED`. */
export async function remakeSummary(
  services: Services,
  runner: Runner,
  lineage: Lineage,
  erased: ReadonlySet<Seq>,
  signal: AbortSignal,
): Promise<{ readonly summary: Summary | null; readonly bills: readonly NamedBill[] }> {
  const { config, budget, state, summariser } = runner;
  const makers = { summariser, services, processor: config.processor.name ?? '' };
  const bills: NamedBill[] = [];
  let summary: Summary | undefined;
  for await (const leaving of notInView(services.recall, lineage, state, erased)) {
    const input = summaryInput(summary, leaving, summaryTokens(budget, config.limits));
    const made = input && (await makeSummary(makers, state, input, signal));
    bills.push(...(made?.bills ?? []));
    if (signal.aborted) throw stopped(signal.reason);
    summary = foldSummary(summary, leaving, made?.text, factCharacters(budget, config.limits));
  }
  return { summary: summary ?? null, bills };
}

/** The messages of the history that the queue does not show, oldest first. */
async function* notInView(
  recall: RecallDriver,
  lineage: Lineage,
  { head, pages }: ProcessState,
  erased: ReadonlySet<Seq>,
): AsyncGenerator<readonly ResidentMessage[]> {
  const stays = pages.filter((page) => !showsErased(page, erased));
  const resident = new Set(stays.flatMap(({ messages }) => messages.map(({ seq }) => seq)));
  for (let cursor: string | undefined; ;) {
    const query = { to: head.lastSeq, limit: SLICE, ...(cursor !== undefined && { cursor }) };
    const slice = await recall.read(lineage, query);
    const left = slice.items.filter(({ seq }) => !resident.has(seq) && !erased.has(seq));
    if (left.length > 0) yield left.map(({ seq, message }) => ({ seq, message }));
    if (slice.cursor === undefined) return;
    cursor = slice.cursor;
  }
}

function stopped(cause: unknown): PagefaultError {
  return new PagefaultError('E_ABORTED', 'the erasure was stopped before the summary was made again', {
    hint: 'it is gone on with when the process is attached next',
    cause,
  });
}
