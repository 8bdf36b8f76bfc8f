/**
 * `classic`: the paper's layout (MemGPT, arXiv 2310.08560, §2.1). The blocks are live, inside the system message; the
 * queue starts with the recursive summary.
 */
import type { Message } from '@pagefault/contracts';
import { renderSummary } from '../summary.js';
import type { Block, ProcessState } from '../state.js';
import { type Layout, summaryMessage, tailMessage } from './layout.js';

export const classic: Layout = {
  id: 'classic',
  system: (instructions, blocks) => [instructions, ...blocks.map(renderBlock)].join('\n\n'),
  messages: (state, tail) => [
    ...(state.summary ? [summaryMessage(renderSummary(state.summary))] : []),
    ...queueMessages(state),
    tailMessage(tail),
  ],
};

/** Without usage figures: they would change the prefix at every edit (field report A57). */
function renderBlock(block: Block): string {
  const attributes = `name="${block.name}" limit="${block.limit}"${block.readOnly ? ' read-only' : ''}`;
  return `<block ${attributes}>\n${block.value}\n</block>`;
}

// A plain loop: it runs over every resident message at every step.
function queueMessages({ pages }: ProcessState): Message[] {
  const queue: Message[] = [];
  for (const page of pages) for (const { message } of page.messages) queue.push(message);
  return queue;
}
