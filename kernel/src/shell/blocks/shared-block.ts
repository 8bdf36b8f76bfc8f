/** A shared block in your hand, whoever is attached to it. */
import type { BlockEdit } from '../../core/block-edit.js';
import { refusalError } from '../../core/edit-texts.js';
import { type NewBlock, toBlock } from '../../core/new-block.js';
import type { Block } from '../../core/state.js';
import type { Limits } from '../../limits.js';
import { type BlockVersion, readHistory, readTarget } from './block-versions.js';
import { checkedAuthor, type EditOptions, type UndoOptions } from './edit-options.js';
import type { Services } from '../services.js';
import { editShared, readShared, storeShared } from './shared-store.js';

export interface NewSharedBlock extends Omit<NewBlock, 'readOnly'>, Pick<EditOptions, 'by'> {}

/** Errors: `E_INVALID`. */
export async function createSharedBlock({ services, limits }: Host, block: NewSharedBlock): Promise<string> {
  const { by, ...rest } = block;
  const { recall, mintId, clock } = services;
  const id = mintId();
  await storeShared(recall, id, toBlock(rest, limits), checkedAuthor(by), clock.now());
  return id;
}

interface Host {
  readonly services: Services;
  readonly limits: Limits;
}

/** The name is no part of an edit here; the block has one. */
type OwnEdit = BlockEdit extends infer Edit ? (Edit extends BlockEdit ? Omit<Edit, 'name'> : never) : never;

/**
 * Get it from `kernel.sharedBlock`. Processes see an edit at the start of their next turn. Errors of all edits:
 * `E_NOT_FOUND` (it was erased), `E_BLOCK`, `E_CONFLICT` (see `expect`), `E_INVALID`, `E_STORAGE`.
 */
export class SharedBlock {
  readonly id: string;
  readonly #host: Host;

  constructor(id: string, host: Host) {
    [this.id, this.#host] = [id, host];
  }

  async get(): Promise<Block> {
    return (await readShared(this.#host.services.recall, this.id)).block;
  }

  /** Adds a line. */
  append(content: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'append', content }, options);
  }

  /** Replaces the first place where `from` stands. */
  replace(from: string, to: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'replace', from, to }, options);
  }

  set(value: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'set', value }, options);
  }

  undo(options: UndoOptions = {}): Promise<Block> {
    return this.#restore('undo', options);
  }

  redo(options: UndoOptions = {}): Promise<Block> {
    return this.#restore('redo', options);
  }

  /** Oldest first; at most `limits.blockVersions`. */
  async history(): Promise<readonly BlockVersion[]> {
    return readHistory(this.#host.services.recall, this.id, await this.get());
  }

  /** Processes that gave it no name of their own see it under the new one. */
  rename(to: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'rename', to }, options);
  }

  /** In code points. */
  setLimit(limit: number, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'limit', limit }, options);
  }

  /** It leaves the view of all processes at the start of their next turn. */
  async erase(): Promise<void> {
    await this.#host.services.recall.erase({ pid: this.id, whole: true });
  }

  #edit(edit: OwnEdit, options: EditOptions = {}): Promise<Block> {
    return this.#run(options, (block) => ({ ...edit, name: block.name }) as BlockEdit);
  }

  #restore(direction: 'undo' | 'redo', options: UndoOptions): Promise<Block> {
    const { recall } = this.#host.services;
    return this.#run(options, async (block) => {
      const target = await readTarget(recall, this.id, block, direction, options.to);
      return { kind: 'restore', name: block.name, ...target };
    });
  }

  async #run(
    { expect, by }: EditOptions,
    make: (block: Block) => BlockEdit | Promise<BlockEdit>,
  ): Promise<Block> {
    const { services, limits } = this.#host;
    const { result } = await editShared(services.recall, this.id, {
      context: { by: checkedAuthor(by), at: services.clock.now(), limits },
      make: async (block) => ({ ...(await make(block)), ...(expect !== undefined && { expect }) }),
    });
    if (!result.ok) throw refusalError(result);
    return result.block ?? this.get();
  }
}
