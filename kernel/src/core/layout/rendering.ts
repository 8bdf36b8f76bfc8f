/** How a layout that renders blocks only at a reclaim shows them; and the pages that are notes about them. */
import type { Block, ResidentPage } from '../state.js';

/** The blocks as the prefix holds them: with their versions, which notes refer to, and without usage figures (A57). */
export function renderBlocks(blocks: readonly Block[]): string {
  return blocks.map(renderBlock).join('\n');
}

export function renderBlock({ name, version, limit, readOnly, value }: Block): string {
  const attributes = `name="${name}" version="${version}" limit="${limit}"${readOnly ? ' read-only' : ''}`;
  return `<block ${attributes}>\n${value}\n</block>`;
}

export function isBlockNote(page: ResidentPage): boolean {
  return page.messages.every(({ message }) => message.notice === 'block-edit');
}
