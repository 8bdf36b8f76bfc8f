/**
 * The working context of one process, for users. Every edit waits for the turn that is under way, so that neither takes
 * back what the other did (C07), and is stored when it resolves.
 */
import type { Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import type { BlockEdit } from '../../core/block-edit.js';
import { type EditContext, editBlocks } from '../../core/blocks.js';
import { refusalError } from '../../core/edit-texts.js';
import type { Event } from '../../core/events.js';
import { type NewBlock, toBlock } from '../../core/new-block.js';
import { withViews } from '../../core/shared-view.js';
import type { Block } from '../../core/state.js';
import type { Limits } from '../../limits.js';
import { type BlockVersion, readHistory, readTarget } from './block-versions.js';
import { checkedAuthor, type EditOptions, type UndoOptions } from './edit-options.js';
import type { Runner } from '../runner.js';
import type { Services } from '../services.js';
import { currentBlocks, editShared, readShared, viewOf } from './shared-store.js';

export interface WorkingContextHost {
  readonly services: Services;
  readonly limits: Limits;
  /** With the process attached, which is not passivated meanwhile. */
  attached<T>(work: (runner: Runner) => Promise<T>): Promise<T>;
}

export interface AttachOptions extends Pick<EditOptions, 'by'> {
  /** What the process calls it. Default: the shared block's name, also when that changes. */
  readonly name?: string;
  /** Whether this process's model may only read it. Default false. */
  readonly readOnly?: boolean;
}

/** An event that is about to be, and the block as it then is. */
interface Step {
  readonly event: Event;
  readonly after: Block;
}

/** `owner` is whose rows the history is in. */
type MakeEdit = (block: Block, owner: Pid) => BlockEdit | Promise<BlockEdit>;

/**
 * Get it from `process.blocks`. What an edit resolves to is the block as it then is. Errors of all edits: `E_NOT_FOUND`
 * (no such block; the message names those that there are), `E_BLOCK` (over the limit, or the old text is not there),
 * `E_CONFLICT` (see `expect`), `E_INVALID`, `E_STORAGE`, `E_LEASE_LOST`, `E_NOT_OPEN`.
 */
export class WorkingContext {
  readonly #pid: Pid;
  readonly #host: WorkingContextHost;

  constructor(pid: Pid, host: WorkingContextHost) {
    [this.#pid, this.#host] = [pid, host];
  }

  /** By name. Shared blocks as they are now, which the model sees at its next turn. */
  async list(): Promise<readonly Block[]> {
    return currentBlocks(this.#recall, await this.#inView());
  }

  async get(name: string): Promise<Block> {
    return findBlock(await this.list(), name);
  }

  /** Adds a line. */
  append(name: string, content: string, options?: EditOptions): Promise<Block> {
    return this.#edit(name, options, () => ({ kind: 'append', name, content }));
  }

  /** Replaces the first place where `from` stands. */
  replace(name: string, from: string, to: string, options?: EditOptions): Promise<Block> {
    return this.#edit(name, options, () => ({ kind: 'replace', name, from, to }));
  }

  set(name: string, value: string, options?: EditOptions): Promise<Block> {
    return this.#edit(name, options, () => ({ kind: 'set', name, value }));
  }

  /** Gives the block the value before its last edit, exactly. Also `E_BLOCK` when the history does not go back so far. */
  undo(name: string, options?: UndoOptions): Promise<Block> {
    return this.#edit(name, options, this.#restoring(name, 'undo', options?.to));
  }

  /** Takes an undo back, as long as nothing was edited since. */
  redo(name: string, options?: UndoOptions): Promise<Block> {
    return this.#edit(name, options, this.#restoring(name, 'redo', options?.to));
  }

  /** The values that the block had, oldest first; at most `limits.blockVersions`. */
  async history(name: string): Promise<readonly BlockVersion[]> {
    const block = findBlock(await this.#inView(), name);
    if (!block.shared) return readHistory(this.#recall, this.#pid, block);
    const { id } = block.shared;
    return readHistory(this.#recall, id, (await readShared(this.#recall, id)).block);
  }

  /** In code points. A limit below what the block holds is allowed: from then on it can only shrink. */
  setLimit(name: string, limit: number, options?: EditOptions): Promise<Block> {
    return this.#edit(name, options, () => ({ kind: 'limit', name, limit }));
  }

  /** Also `E_BLOCK` when there are `limits.blocks` already, and `E_INVALID` for a name that is taken. */
  async add(block: NewBlock, options?: Pick<EditOptions, 'by'>): Promise<Block> {
    const { name, value, limit, readOnly } = toBlock(block, this.#host.limits);
    return this.#change(options, { kind: 'add', name, value, limit, readOnly });
  }

  /** Removes the block with its history; a shared one is detached instead. Resolves to what it was. */
  remove(name: string, options?: EditOptions): Promise<Block> {
    return this.#change(options, { kind: 'remove', name });
  }

  /** A shared block gets a name for this process alone. */
  rename(name: string, to: string, options?: EditOptions): Promise<Block> {
    return this.#change(options, { kind: 'rename', name, to });
  }

  /** Whether the model may edit it: of a shared block, the model of this process. Users may in any case. */
  setReadOnly(name: string, readOnly: boolean, options?: EditOptions): Promise<Block> {
    return this.#change(options, { kind: 'read-only', name, readOnly });
  }

  /** Brings a shared block into view. Also `E_BLOCK` when it is in view already. */
  async attach(id: string, { name, readOnly = false, by }: AttachOptions = {}): Promise<Block> {
    return this.#inLine(by, async (runner, context) => {
      const view = viewOf(id, await readShared(this.#recall, id));
      const ownName = name !== undefined;
      const edit: BlockEdit = { kind: 'attach', name: name ?? view.name, view, readOnly, ownName };
      return stepOf(runner, edit, context);
    });
  }

  /** Takes a shared block out of view; it stays what it is. Resolves to what was in view. */
  detach(name: string, options?: Pick<EditOptions, 'by'>): Promise<Block> {
    return this.#change(options, { kind: 'detach', name });
  }

  /** What the model sees. */
  #inView(): Promise<readonly Block[]> {
    return this.#host.attached(async ({ state }) => state.blocks);
  }

  get #recall(): Services['recall'] {
    return this.#host.services.recall;
  }

  #restoring(name: string, direction: 'undo' | 'redo', to: number | undefined): MakeEdit {
    return async (block, owner) => ({
      kind: 'restore',
      name,
      ...(await readTarget(this.#recall, owner, block, direction, to)),
    });
  }

  /** Edits what a block holds, where it is kept: with the process, or with the owner of a shared one. */
  #edit(name: string, { expect, by }: EditOptions = {}, make: MakeEdit): Promise<Block> {
    const expecting: MakeEdit = async (block, owner) => withExpect(await make(block, owner), expect);
    return this.#inLine(by, async (runner, context) => {
      const block = findBlock(runner.state.blocks, name);
      if (block.shared) return this.#editOwners(runner, block, block.shared.id, expecting, context);
      return stepOf(runner, await expecting(block, this.#pid), context);
    });
  }

  #change({ expect, by }: EditOptions = {}, edit: BlockEdit): Promise<Block> {
    return this.#inLine(by, async (runner, context) => stepOf(runner, withExpect(edit, expect), context));
  }

  async #editOwners(
    { state }: Runner,
    block: Block,
    id: string,
    make: MakeEdit,
    context: EditContext,
  ): Promise<Step> {
    const shared = { name: block.name, context, make: (known: Block) => make(known, id) };
    const { result, view } = await editShared(this.#recall, id, shared);
    if (!result.ok) throw refusalError(result);
    const views = { views: [view], gone: [] };
    const after = withViews(state.blocks, views).find(({ shared }) => shared?.id === id) ?? block;
    return { event: { type: 'refreshed', at: context.at, ...views }, after };
  }

  /** What is refused is decided in the place in line, and becomes an error and no event. */
  async #inLine(
    by: string | undefined,
    decide: (runner: Runner, context: EditContext) => Promise<Step>,
  ): Promise<Block> {
    const { services, limits } = this.#host;
    const author = checkedAuthor(by);
    let after: Block | undefined;
    await this.#host.attached((runner) =>
      runner.run(async () => {
        const step = await decide(runner, { by: author, at: services.clock.now(), limits });
        after = step.after;
        return step.event;
      }),
    );
    if (!after) throw new PagefaultError('E_STORAGE', 'the edit was not run');
    return after;
  }
}

/** By the same function as the core. */
function stepOf({ state }: Runner, edit: BlockEdit, context: EditContext): Step {
  const result = editBlocks(state.blocks, edit, context);
  if (!result.ok) throw refusalError(result);
  const { at, by } = context;
  const after = result.block ?? findBlock(state.blocks, edit.name);
  return { event: { type: 'edited', at, by, edits: [edit] }, after };
}

function withExpect(edit: BlockEdit, expect: number | undefined): BlockEdit {
  return expect === undefined ? edit : { ...edit, expect };
}

/** Errors: `E_NOT_FOUND`, naming those that there are. */
function findBlock(blocks: readonly Block[], name: string): Block {
  const block = blocks.find((candidate) => candidate.name === name);
  if (block) return block;
  const names = blocks.map((other) => other.name).join(', ');
  throw new PagefaultError('E_NOT_FOUND', `there is no block "${name}"`, {
    hint: names === '' ? 'there are none; add one' : `there are: ${names}`,
  });
}
