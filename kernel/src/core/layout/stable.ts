/**
 * `stable`: tools | system | blocks at a version | summary | queue | tail, and the prefix changes only at a reclaim. The
 * blocks are sent as they were rendered then; since then the model's own edits stand in its calls and their results, and
 * edits by others in notes in the queue. A reclaim changes the queue anyway: it renders the blocks anew and drops the
 * notes.
 */
import { blocksMessage, type Layout, summaryLead } from './layout.js';

export const stable: Layout = {
  id: 'stable',
  rendersAtReclaim: true,
  system: (instructions) => instructions,
  lead: (state) => [
    ...(state.rendered?.text ? [blocksMessage(state.rendered.text)] : []),
    ...summaryLead(state),
  ],
};
