/** Finds all that an erasure takes with it, before anything goes: afterwards nobody can look for the text any more. */
import type { Seq } from '@pagefault/contracts';
import { showsErased } from '../../core/erasing.js';
import { historyKey } from '../../core/block-history.js';
import type { Interrupt } from '../../core/events.js';
import { type OutboxEntry, PASSAGE_SPACE } from '../../core/journal.js';
import { QuoteFinder } from '../../core/quotes.js';
import { handleOf } from '../../core/stub.js';
import { ownLineage } from '../storage.js';
import { heldByAncestors } from './ancestors.js';
import { valuesThatGo } from './block-values.js';
import { answersOf, rowsOfWaiting, waitingMeant } from './deliveries.js';
import type { HeldByAncestor, Inherited, Place, Plan } from './job.js';
import { LogScan } from './log-scan.js';
import { checkFound } from './not-found.js';
import type { PlanContext } from './plan-context.js';
import { quotedBy } from './quoting.js';
import { type CheckedTarget, isMeant, isPassageMeant, NO_TARGET } from './target.js';
import { entriesOf, type FoundPassage, ownDocuments, ownPassages, passagesById } from './walk.js';

/** What the process itself is asked to erase. Errors: `E_NOT_FOUND`, `E_CONFLICT` for what an ancestor holds. */
export async function planTarget(context: PlanContext, target: CheckedTarget): Promise<Plan> {
  const passages = await passagesMeant(context, target);
  const scan = await scanLog(context, target, passages);
  const waiting = await waitingMeant(context, target);
  const atAncestors = await heldByAncestors(context, target);
  const found = [...scan.ids, ...waiting.map(({ id }) => id), ...passages.map(({ id }) => id)];
  if (target.history === undefined) await checkFound(context, target, new Set(found), atAncestors);
  return complete(context, target, { scan, passages, waiting, atAncestors });
}

/** What an ancestor erased: here its copies go. */
export async function planInherited(context: PlanContext, inherited: Inherited): Promise<Plan> {
  const scan = await scanLog(context, NO_TARGET, [], inherited);
  return complete(context, NO_TARGET, { scan, passages: [], waiting: [], atAncestors: [], inherited });
}

interface Search {
  readonly scan: LogScan;
  readonly passages: readonly FoundPassage[];
  readonly waiting: readonly Interrupt[];
  readonly atAncestors: readonly HeldByAncestor[];
  readonly inherited?: Inherited;
}

async function passagesMeant(context: PlanContext, target: CheckedTarget): Promise<readonly FoundPassage[]> {
  const { recall, record } = context;
  if (target.passages.size > 0) return passagesById(recall, ownLineage(record.pid), [...target.passages]);
  if (target.source === undefined) return [];
  const meant: FoundPassage[] = [];
  for await (const passage of ownPassages(context)) if (isPassageMeant(target, passage)) meant.push(passage);
  return meant;
}

async function scanLog(
  { recall, record }: PlanContext,
  target: CheckedTarget,
  passages: readonly FoundPassage[],
  inherited?: Inherited,
): Promise<LogScan> {
  const scan = new LogScan({
    isWanted: (message) => isMeant(target, message),
    handles: [
      ...(inherited?.places ?? []).map(({ seq }) => handleOf(seq)),
      ...[...(inherited?.passages ?? []), ...passages.map(({ id }) => id)].map((id) => `p${id}`),
    ],
    quotes: new QuoteFinder(inherited?.quotes),
  });
  for (const { text } of passages) scan.quotes.add(text);
  if (target.history !== undefined) return scan;
  for await (const entry of entriesOf(recall, ownLineage(record.pid))) scan.take(entry);
  return scan;
}

async function complete(context: PlanContext, target: CheckedTarget, search: Search): Promise<Plan> {
  const { recall, record } = context;
  const { scan, waiting, inherited } = search;
  // A message that goes may have stored a passage: that is a copy of it.
  const stored = await passagesById(recall, ownLineage(record.pid), scan.passages);
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
    ...(await indexedOf(context, scan.places, passages)),
    waiting: waiting.map(({ id }) => id),
    deletes: [
      ...rowsOfWaiting(waiting),
      ...passages.map(({ id }) => ({ space: PASSAGE_SPACE, key: id })),
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
      quotedBy: await quotedBy(context, scan, new Set(passages.map(({ id }) => id))),
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

async function indexedOf(
  context: PlanContext,
  places: readonly Place[],
  passages: readonly FoundPassage[],
): Promise<Required<Pick<Plan, 'indexed' | 'followers'>>> {
  const gone = new Set(places.map(({ seq }) => seq));
  const last = places.at(-1)?.seq ?? 0;
  const indexed: OutboxEntry[] = passages.map(({ id, ordinal, seq, at }) => ({
    collection: 'passages',
    ordinal,
    ref: id,
    seq,
    at,
  }));
  const followers: OutboxEntry[] = [];
  if (gone.size === 0) return { indexed, followers };
  let isAfter = false;
  for await (const { ordinal, ref, seq, at } of ownDocuments(context, 'messages')) {
    const entry: OutboxEntry = { collection: 'messages', ordinal, ref, seq, at };
    if (gone.has(seq)) indexed.push(entry);
    else if (isAfter) followers.push(entry);
    isAfter = gone.has(seq);
    // Ordinals rise with positions.
    if (seq > last) break;
  }
  return { indexed, followers };
}
