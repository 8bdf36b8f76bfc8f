/** Finds all that an erasure takes with it, before anything goes: afterwards nobody can look for the text any more. */
import type { RowKey, Seq } from '@pagefault/contracts';
import { historyKey } from '../../core/block-history.js';
import { showsErased } from '../../core/erasing.js';
import type { Interrupt } from '../../core/events.js';
import { PASSAGE_SPACE } from '../../core/journal.js';
import { documentHandle, documentKey, type DocumentRow, rowsOfDocument } from '../../core/mapped-document.js';
import { QuoteFinder } from '../../core/quotes.js';
import { handleOf } from '../../core/stub.js';
import { ownLineage } from '../storage.js';
import { heldByAncestors } from './ancestors.js';
import { valuesThatGo } from './block-values.js';
import { answersOf, rowsOfWaiting, waitingMeant } from './deliveries.js';
import { documentsReadAs } from './documents-read.js';
import { addDocument, documentsInherited, documentsMeant } from './documents-meant.js';
import { indexedOf } from './indexed.js';
import type { HeldByAncestor, Inherited, Place, Plan } from './job.js';
import { LogScan } from './log-scan.js';
import { checkFound } from './not-found.js';
import type { PlanContext } from './plan-context.js';
import { quotedBy } from './quoting.js';
import { type CheckedTarget, isMeant, isPassageMeant, NO_TARGET } from './target.js';
import { entriesOf, type FoundPassage, ownPassages, passagesById } from './walk.js';

/** What the process itself is asked to erase. Errors: `E_NOT_FOUND`, `E_CONFLICT` for what an ancestor holds. */
export async function planTarget(context: PlanContext, target: CheckedTarget): Promise<Plan> {
  const passages = await passagesMeant(context, target);
  const documents = await documentsMeant(context, target);
  const quotes = new QuoteFinder();
  for (const { text } of passages) quotes.add(text);
  for (const row of documents) await addDocument(context.recall, row, quotes);
  const read = await documentsReadAs(context, target);
  const documentIds = [...new Set([...documents.map(({ id }) => id), ...read])];
  const handles = [...passages.map(({ id }) => `p${id}`), ...documentIds.map(documentHandle)];
  const scan = new LogScan({ isWanted: (message) => isMeant(target, message), handles, quotes });
  if (target.history === undefined) await look(context, scan);
  const waiting = await waitingMeant(context, target);
  const atAncestors = await heldByAncestors(context, target);
  const found = [scan.ids, documentIds, ...[waiting, passages].map((some) => some.map(({ id }) => id))];
  if (target.history === undefined) await checkFound(context, target, new Set(found.flat()), atAncestors);
  return complete(context, { target, scan, passages, documents, documentIds, waiting, atAncestors });
}

/** What an ancestor erased: here its copies go. */
export async function planInherited(context: PlanContext, inherited: Inherited): Promise<Plan> {
  const { places, passages } = inherited;
  const documents = await documentsInherited(context, inherited.documents);
  const handles = [
    ...places.map(({ seq }) => handleOf(seq)),
    ...passages.map((id) => `p${id}`),
    ...documents.map(documentHandle),
  ];
  const quotes = new QuoteFinder(inherited.quotes);
  const scan = new LogScan({ isWanted: () => false, handles, quotes });
  await look(context, scan);
  return complete(context, { ...NOTHING_FOUND, scan, inherited: { ...inherited, documents } });
}

interface Search {
  readonly target: CheckedTarget;
  readonly scan: LogScan;
  readonly passages: readonly FoundPassage[];
  readonly documents: readonly DocumentRow[];
  /** Also of texts that had the name before. */
  readonly documentIds: readonly string[];
  readonly waiting: readonly Interrupt[];
  readonly atAncestors: readonly HeldByAncestor[];
  readonly inherited?: Inherited;
}

const NOTHING_FOUND = {
  target: NO_TARGET,
  passages: [],
  documents: [],
  documentIds: [],
  waiting: [],
  atAncestors: [],
};

async function passagesMeant(context: PlanContext, target: CheckedTarget): Promise<readonly FoundPassage[]> {
  const { recall, record } = context;
  if (target.passages.size > 0) return passagesById(recall, ownLineage(record.pid), [...target.passages]);
  if (target.source === undefined) return [];
  const meant: FoundPassage[] = [];
  for await (const passage of ownPassages(context)) if (isPassageMeant(target, passage)) meant.push(passage);
  return meant;
}

/** A passage that the model stored has no source. */
async function passagesUnlinked(
  context: PlanContext,
  texts: ReadonlySet<string>,
): Promise<readonly FoundPassage[]> {
  const found: FoundPassage[] = [];
  if (texts.size === 0) return found;
  for await (const passage of ownPassages(context))
    if (passage.source === undefined && texts.has(passage.text)) found.push(passage);
  return found;
}

async function look({ recall, record }: PlanContext, scan: LogScan): Promise<void> {
  for await (const entry of entriesOf(recall, ownLineage(record.pid))) scan.take(entry);
}

async function complete(context: PlanContext, search: Search): Promise<Plan> {
  const { recall, record } = context;
  const { target, scan, waiting, documents, documentIds, inherited } = search;
  // A message that goes may have stored a passage: that is a copy of it.
  const stored = [
    ...(await passagesById(recall, ownLineage(record.pid), scan.passages)),
    ...(await passagesUnlinked(context, scan.unlinked)),
  ];
  const passages = [...new Map([...search.passages, ...stored].map((one) => [one.id, one])).values()];
  const versions = await valuesThatGo(context, scan.quotes, target.history);
  const news = [...scan.news, ...(inherited?.news ?? [])];
  const foreign = inherited?.places ?? [];
  return {
    own: scan.places,
    foreign,
    news,
    passages: passages.map(({ id, ordinal }) => ({ id, ordinal })),
    foreignPassages: inherited?.passages ?? [],
    documents: [...documentIds, ...(inherited?.documents ?? [])],
    ...(await indexedOf(context, scan.places, passages)),
    waiting: waiting.map(({ id }) => id),
    deletes: [
      ...rowsOfWaiting(waiting),
      ...passages.map(({ id }): RowKey => ({ space: PASSAGE_SPACE, key: id })),
      ...documents.flatMap(rowsOfDocument),
      ...(inherited?.documents ?? []).map(documentKey),
      ...versions.map(({ key, version }) => historyKey(key, version)),
    ],
    answers: await answersOf(context, scan),
    versions,
    speakers: scan.speakers,
    remakesSummary: standsForOne(context, news),
    quotes: scan.quotes.toMarks(),
    found: {
      messages: scan.places.length - scan.copies,
      copies: scan.copies,
      pages: pagesShowing(context, [...scan.places, ...foreign]),
      quotedBy: await quotedBy(
        context,
        scan,
        new Set([...passages, ...waiting, ...documents].map(({ id }) => id)),
      ),
      atAncestors: search.atAncestors,
    },
  };
}

/** What was said and is not in view any more is what a summary stands for. */
function standsForOne({ state }: PlanContext, news: readonly Seq[]): boolean {
  const resident = new Set(state.pages.flatMap(({ messages }) => messages.map(({ seq }) => seq)));
  return state.summary !== undefined && news.some((seq) => !resident.has(seq));
}

function pagesShowing({ state }: PlanContext, places: readonly Place[]): number {
  const seqs = new Set(places.map(({ seq }) => seq));
  return state.pages.filter((page) => showsErased(page, seqs)).length;
}
