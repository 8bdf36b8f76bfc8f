/** What stays and quotes what goes. */
import type { RecallDriver } from '@pagefault/contracts';
import { BLOCK_HISTORY_SPACE, type StoredVersion } from '../../core/block-history.js';
import { messageText } from '../../core/documents.js';
import { type DocumentRow, textKeys } from '../../core/mapped-document.js';
import type { QuoteFinder } from '../../core/quotes.js';
import { readTimer, TIMER_SPACE } from '../../timer/timer.js';
import { waiting } from '../interrupts/inbox.js';
import { documentRows } from '../memory/document-rows.js';
import type { Quoting } from './job.js';
import type { LogScan } from './log-scan.js';
import type { PlanContext } from './plan-context.js';
import { ownPassages } from './walk.js';

/** Characters that are looked at once more with the next row: a quote may stand where two rows meet. */
const OVERLAP = 1_000;

/** `gone`: ids of what goes itself. */
export async function quotedBy(
  context: PlanContext,
  scan: LogScan,
  gone: ReadonlySet<string>,
): Promise<Quoting> {
  const { recall, record } = context;
  const { quotes, quoting } = scan;
  const timers = (await recall.load(record.pid, [TIMER_SPACE])).map(readTimer);
  const { interrupts } = await waiting(recall, record.pid);
  const waits = interrupts.filter(
    ({ id, message }) => !gone.has(id) && quotes.isQuotedIn(messageText(message)),
  );
  return {
    blocks: await blocksQuoting(context, quotes),
    messages: quoting,
    passages: await passagesQuoting(context, quotes, gone),
    timers: timers.filter(({ text }) => quotes.isQuotedIn(text)).map(({ id }) => id),
    waiting: waits.map(({ id }) => id),
    documents: await documentsQuoting(context, quotes, gone),
    complete: !quotes.isPartial,
  };
}

async function blocksQuoting(
  { recall, state }: PlanContext,
  quotes: QuoteFinder,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, value, shared } of state.blocks) {
    const past = shared && !quotes.isEmpty ? await recall.load(shared.id, [BLOCK_HISTORY_SPACE]) : [];
    const values = [value, ...past.map((row) => (row.value as unknown as StoredVersion).value)];
    if (values.some((one) => quotes.isQuotedIn(one))) found.push(name);
  }
  return found;
}

async function passagesQuoting(
  context: PlanContext,
  quotes: QuoteFinder,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  if (quotes.isEmpty) return found;
  for await (const { id, text } of ownPassages(context))
    if (!gone.has(id) && quotes.isQuotedIn(text)) found.push(id);
  return found;
}

/** Those whose text the process has itself. */
async function documentsQuoting(
  { recall, record }: PlanContext,
  quotes: QuoteFinder,
  gone: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  if (quotes.isEmpty) return found;
  for (const row of await documentRows(recall, record.pid))
    if (row.owner === record.pid && !gone.has(row.id) && (await quotesIn(recall, row, quotes)))
      found.push(row.name);
  return found;
}

/** A row at a time, however long the document is. */
async function quotesIn(recall: RecallDriver, row: DocumentRow, quotes: QuoteFinder): Promise<boolean> {
  let before = '';
  for (const key of textKeys(row)) {
    const [piece] = await recall.get(row.owner, [key]);
    const text = before + (typeof piece?.value === 'string' ? piece.value : '');
    if (quotes.isQuotedIn(text)) return true;
    before = text.slice(-OVERLAP);
  }
  return false;
}
