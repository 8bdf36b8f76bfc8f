/** The views that a process has of shared blocks: what the owner's row held when it was read last. */
import type { SharedView } from './block-edit.js';
import type { Views } from './events.js';
import { type Block, inOrder, type SharedLink } from './state.js';

/** The ids of the shared blocks that are in view. */
export function sharedIds(blocks: readonly Block[]): readonly string[] {
  return blocks.flatMap(({ shared }) => shared?.id ?? []);
}

/** Blocks with what their owners hold now; those that are no more leave the view. The very list when nothing changes. */
export function withViews(blocks: readonly Block[], { views, gone }: Views): readonly Block[] {
  const next = blocks.flatMap((block) => {
    const { shared } = block;
    if (!shared) return block;
    if (gone.includes(shared.id)) return [];
    const view = views.find(({ id }) => id === shared.id);
    return view ? withView(blocks, block, shared, view) : block;
  });
  const isSame = next.length === blocks.length && next.every((block, index) => block === blocks[index]);
  return isSame ? blocks : inOrder(next);
}

function withView(blocks: readonly Block[], block: Block, link: SharedLink, view: SharedView): Block {
  const name = nameOf(blocks, block, link, view);
  if (view.version === block.version && name === block.name) return block;
  return { ...block, name, value: view.value, limit: view.limit, version: view.version };
}

/** The owner's name, unless the process has one of its own for it, or another block of that name (87). */
function nameOf(blocks: readonly Block[], block: Block, { ownName }: SharedLink, view: SharedView): string {
  const isTaken = blocks.some((other) => other !== block && other.name === view.name);
  return ownName || isTaken ? block.name : view.name;
}

/** The version that a call of the page was written from. */
export function versionRead({ version, shared }: Block, page: number): number {
  return shared?.stale?.page === page ? shared.stale.version : version;
}

/** Notes that the page's calls were written from what was in view before the refusal. */
export function withStale(before: readonly Block[], after: readonly Block[], page: number): readonly Block[] {
  if (after === before) return after;
  return after.map((block) => {
    const old = before.find(({ shared }) => shared !== undefined && shared.id === block.shared?.id);
    if (!block.shared || !old || old.version === block.version) return block;
    return { ...block, shared: { ...block.shared, stale: { page, version: versionRead(old, page) } } };
  });
}
