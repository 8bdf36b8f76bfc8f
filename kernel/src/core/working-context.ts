/** Edits of blocks within a step: the state, the rows of the history, and what the layout must know. */
import type { Author, BlockEdit } from './block-edit.js';
import { type Accepted, editBlocks, type EditResult } from './blocks.js';
import type { Draft } from './draft.js';
import { setBlocks } from './rendered-blocks.js';

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
