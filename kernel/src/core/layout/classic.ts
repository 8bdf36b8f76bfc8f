/**
 * `classic`: the paper's layout (MemGPT, arXiv 2310.08560, §2.1). The blocks are live, inside the system message; the
 * queue starts with the recursive summary. Every edit of a block changes the prefix.
 */
import type { Block } from '../state.js';
import { type Layout, summaryLead } from './layout.js';

export const classic: Layout = {
  id: 'classic',
  rendersAtReclaim: false,
  system: (instructions, { blocks }) => [instructions, ...blocks.map(renderBlock)].join('\n\n'),
  lead: summaryLead,
};

/** Without usage figures: they would change the prefix at every edit (field report A57). */
function renderBlock(block: Block): string {
  const attributes = `name="${block.name}" limit="${block.limit}"${block.readOnly ? ' read-only' : ''}`;
  return `<block ${attributes}>\n${block.value}\n</block>`;
}
