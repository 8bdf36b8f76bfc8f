/**
 * The blocks as the model is shown them. `setBlocks` is the one way to change the blocks of a draft, for whoever
 * changes them: under a layout with live blocks the next request shows the change; under one that renders them at a
 * reclaim the prefix stays as it is, and what the model did not do itself is told to it by a note in the queue.
 */
import { shareOf } from './budget.js';
import { type Author, MODEL } from './block-edit.js';
import type { Draft } from './draft.js';
import { blockNote } from './layout/block-note.js';
import { isBlockNote, renderBlocks } from './layout/rendering.js';
import { blockNotice } from './notices.js';
import { calibrated, noteTokens } from './pressure.js';
import { type Block, type FixedCounts, inOrder, openPage, type ProcessState, type Untold } from './state.js';

/**
 * `blocks` are all blocks as they shall be from now on. The model is told who changed them, unless it did so itself: then
 * its calls and their results say it. Without a change nothing happens.
 */
export function setBlocks(draft: Draft, blocks: readonly Block[], by: Author): void {
  const { state } = draft;
  const after = inOrder(blocks);
  const changes = changesBetween(state.blocks, after);
  if (changes.length === 0) return;
  const counts = without(state.head.counts, draft.parts.layout.rendersAtReclaim ? 'blocksAnew' : 'system');
  draft.state = { ...state, blocks: after, head: { ...state.head, counts } };
  for (const change of changes) noteEdit(draft, change, by);
}

interface Change {
  readonly before: Block | undefined;
  readonly after: Block | undefined;
}

/** A block that is gone and a new one with the same text are one that was renamed. */
function changesBetween(before: readonly Block[], after: readonly Block[]): Change[] {
  const gone = before.filter(({ name }) => !after.some((block) => block.name === name));
  const changes: Change[] = [];
  for (const block of after) {
    const known = before.find(({ name }) => name === block.name);
    if (known === block) continue;
    const renamed = known ? -1 : gone.findIndex(({ value }) => value === block.value);
    changes.push({ before: known ?? gone.splice(renamed, renamed < 0 ? 0 : 1)[0], after: block });
  }
  return [...changes, ...gone.map((block) => ({ before: block, after: undefined }))];
}

/** Only remembered here: what comes between two turns is told at once, and a note must wait while a page is open. */
function noteEdit(draft: Draft, { before, after }: Change, by: Author): void {
  const { rendered } = draft.state;
  if (!rendered) return;
  const known = rendered.untold.find(({ name }) => name === (before ?? after)?.name);
  if (by === MODEL && !known) return;
  const name = (after ?? before)?.name ?? '';
  const first = known ? known.before : before;
  const entry: Untold = {
    name,
    by: by === MODEL ? (known?.by ?? []) : [...new Set([...(known?.by ?? []), by])],
    ...(first && { before: first }),
  };
  const untold = [...rendered.untold.filter((other) => other !== known), entry];
  draft.state = { ...draft.state, rendered: { ...rendered, untold } };
}

/** Writes the notes that wait, one a block: before the message that begins a turn, or else when a page is sealed. True: something was written, or found to be no change after all. */
export function tellEdits(draft: Draft): boolean {
  const { rendered } = draft.state;
  if (!rendered || rendered.untold.length === 0 || openPage(draft.state)) return false;
  draft.state = { ...draft.state, rendered: { ...rendered, untold: [] } };
  for (const { name, before, by } of rendered.untold) {
    const after = draft.state.blocks.find((block) => block.name === name);
    const text = blockNote(before, after, by);
    if (text !== undefined) draft.appendNotice((seq, at) => blockNotice(seq, at, text));
  }
  return true;
}

/** Notes that take more than their share force a rendering. True: the blocks were rendered. */
export function renderOverfullNotes(draft: Draft): boolean {
  const most = shareOf(draft.budget, draft.config.limits.blockNotesShare);
  if (calibrated(draft.state, noteTokens(draft.state)) <= most) return false;
  renderAnew(draft);
  return true;
}

/**
 * The prefix shows the blocks as they are now, and the notes go: what they said is in the prefix. Under live blocks, and
 * with nothing new, nothing happens.
 */
export function renderAnew(draft: Draft): void {
  const { rendered, blocks, head, pages } = draft.state;
  if (!draft.parts.layout.rendersAtReclaim) return;
  const text = renderBlocks(blocks);
  const isSame = rendered?.text === text && rendered.untold.length === 0;
  const notes = pages.filter(isBlockNote).length;
  if (isSame && notes === 0) return;
  const { blocksAnew } = head.counts;
  const counts = {
    ...without(head.counts, 'blocks'),
    ...(blocksAnew !== undefined && { blocks: blocksAnew }),
  };
  const told = withoutNotes(draft.state);
  draft.state = { ...told, rendered: { text, untold: [] }, head: { ...told.head, counts } };
  if (rendered) draft.observe({ name: 'blocks-rendered', notes });
}

/** A process may have been stored under another layout. */
export function takeLayout(draft: Draft): void {
  const { rendered, ...state } = draft.state;
  if (draft.parts.layout.rendersAtReclaim) {
    if (!rendered) renderAnew(draft);
  } else if (rendered) {
    draft.state = withoutNotes(state);
  }
}

function withoutNotes(state: ProcessState): ProcessState {
  const pages = state.pages.filter((page) => !isBlockNote(page));
  const dropped = state.pages.length - pages.length;
  if (dropped === 0) return state;
  // A note is a page of one message.
  const droppedNotes = (state.head.droppedNotes ?? 0) + dropped;
  return { ...state, pages, head: { ...state.head, droppedNotes } };
}

function without(counts: FixedCounts, name: keyof FixedCounts): FixedCounts {
  const { [name]: _, ...rest } = counts;
  return rest;
}
