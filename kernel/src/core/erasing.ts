/**
 * What an erasure changes in main context. The log was changed before it: here the pages that showed what is gone leave
 * the queue, whole, with their pins; the summary that was made again takes the place of the old one; and whatever else
 * is a copy of them goes in the same commit.
 */
import type { PageId } from '@pagefault/contracts';
import type { Draft } from './draft.js';
import type { Erased, ErasedVersion } from './erased.js';
import { withoutPins } from './pins.js';
import { pageTokens } from './pressure.js';
import { removePages } from './queue.js';
import { pageRow } from './records.js';
import { renderAnew } from './rendered-blocks.js';
import type { Block, ResidentPage } from './state.js';

export function eraseFromContext(draft: Draft, event: Erased): void {
  draft.held = false;
  removeErasedPages(draft, event);
  replaceSummary(draft, event.summary);
  forgetSpeakers(draft, event.speakers);
  draft.noteBilled(event);
  draft.state = {
    ...draft.state,
    blocks: draft.state.blocks.map((block) => withoutVersions(block, event.versions)),
  };
  // The prefix and the notes may show an earlier value of a block.
  renderAnew(draft);
  for (const put of event.puts) draft.journal.put(put);
  for (const key of event.deletes) draft.journal.delete(key);
}

/** A page that shows an erased message: none is left as a half. */
export function showsErased({ messages }: ResidentPage, seqs: ReadonlySet<number>): boolean {
  return messages.some(({ seq }) => seqs.has(seq));
}

/**
 * The policy is told of all pages, also of those that left before: what it remembers of them goes too. After a crash a
 * page may be missing from the state already, and its row still be there.
 */
function removeErasedPages(draft: Draft, event: Erased): void {
  const seqs = new Set(event.seqs);
  const leaving = draft.state.pages.filter((page) => showsErased(page, seqs));
  const ids = new Set<PageId>([...event.pages, ...leaving.map(({ id }) => id)]);
  draft.state = removePages(draft.state, new Set(leaving.map(({ id }) => id)));
  if (draft.state.head.pins) draft.state = withoutPins(draft.state, [...ids], draft.budget);
  const resident = new Set(draft.state.pages.map(({ id }) => id));
  for (const id of ids) {
    // A message of it is gone, but it is not shown: nothing of the page that is resident was erased.
    if (resident.has(id)) continue;
    draft.parts.policy.onResidency(id, 'evicted', 'erasure');
    draft.journal.delete(pageRow(id));
  }
  for (const page of leaving) draft.observe({ name: 'page-erased', page: page.id, tokens: pageTokens(page) });
}

/** Undefined: it stands for nothing that is gone. Null: nothing is left that it could stand for. */
function replaceSummary(draft: Draft, made: Erased['summary']): void {
  if (made === undefined) return;
  const { summary: _, ...rest } = draft.state;
  draft.state = made === null ? rest : { ...rest, summary: made };
}

function forgetSpeakers(draft: Draft, names: readonly string[]): void {
  if (names.length === 0) return;
  const { head } = draft.state;
  const speakers = head.speakers.filter((name) => !names.includes(name));
  draft.state = { ...draft.state, head: { ...head, speakers } };
}

/** Undo does not reach them any more. */
function withoutVersions(block: Block, gone: readonly ErasedVersion[]): Block {
  const { history } = block;
  const own = new Set(gone.filter(({ key }) => key === history?.key).map(({ version }) => version));
  if (!history || own.size === 0) return block;
  return { ...block, history: { ...history, versions: history.versions.filter((past) => !own.has(past)) } };
}
