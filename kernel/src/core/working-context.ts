/** Edits of blocks within a step: the state, the rows of the history, and what the model must be told. */
import { type Author, type BlockEdit, MODEL, type SharedView } from './block-edit.js';
import { type Accepted, editBlocks, type EditResult } from './blocks.js';
import type { Draft } from './draft.js';
import type { Views } from './events.js';
import { renderAnew, setBlocks } from './rendered-blocks.js';
import { withStale, withViews } from './shared-view.js';

/** All of the edits or none. The result is the last one's, or the refusal. */
export function changeBlocks(draft: Draft, edits: readonly BlockEdit[], by: Author): EditResult {
  const context = { by, at: draft.now, limits: draft.config.limits };
  const accepted: Accepted[] = [];
  for (const edit of edits) {
    const result = editBlocks(accepted.at(-1)?.blocks ?? draft.state.blocks, edit, context);
    if (!result.ok) return result;
    accepted.push(result);
  }
  for (const result of accepted) keep(draft, result, by);
  return accepted.at(-1) ?? { ok: true, blocks: draft.state.blocks, block: undefined, puts: [], deletes: [] };
}

function keep(draft: Draft, { blocks, puts, deletes }: Accepted, by: Author): void {
  if (blocks === draft.state.blocks) return;
  for (const put of puts) draft.journal.put(put);
  for (const key of deletes) draft.journal.delete(key);
  setBlocks(draft, blocks, by);
}

/** Shared blocks as their owners hold them now. */
export function refreshViews(draft: Draft, { views, gone }: Views): void {
  for (const view of views)
    setBlocks(draft, withViews(draft.state.blocks, { views: [view], gone: [] }), view.by);
  forget(draft, gone);
}

/**
 * The same after a call of the model. Its result tells what it did itself, and shows the text that it was refused for;
 * a refused call was written from what was in view before, and so were the others of its page.
 */
export function refreshAfterCall(draft: Draft, { views, gone }: Views, isRefused: boolean): void {
  for (const view of views) {
    const before = draft.state.blocks;
    const after = withViews(before, { views: [view], gone: [] });
    const isTold = (isRefused || view.by === draft.config.pid) && keepsName(draft, view);
    const by = isTold ? MODEL : view.by;
    setBlocks(draft, isRefused ? withStale(before, after, draft.state.head.lastPage) : after, by);
  }
  forget(draft, gone);
}

/** What was erased must not stay in the prefix, whatever it costs to write that anew. */
function forget(draft: Draft, gone: readonly string[]): void {
  const left = withViews(draft.state.blocks, { views: [], gone });
  if (left === draft.state.blocks) return;
  setBlocks(draft, left, MODEL);
  renderAnew(draft);
}

function keepsName({ state }: Draft, { id, name }: SharedView): boolean {
  return state.blocks.some(({ shared, name: own }) => shared?.id === id && (shared.ownName || own === name));
}
