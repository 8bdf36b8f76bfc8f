/**
 * The working context of one process, for users. Every edit waits for the turn that is under way, so that neither takes
 * back what the other did (C07), and is stored when it resolves.
 */
import type { Pid } from '@pagefault/contracts';
import { PagefaultError } from '@pagefault/contracts';
import { type Author, type BlockEdit, MODEL, USER } from '../core/block-edit.js';
import { editBlocks } from '../core/blocks.js';
import { refusalError } from '../core/edit-texts.js';
import { type NewBlock, toBlock } from '../core/new-block.js';
import type { Block } from '../core/state.js';
import { normaliseText } from '../core/text.js';
import type { Limits } from '../limits.js';
import { type BlockVersion, readHistory, readTarget } from './block-versions.js';
import type { Runner } from './runner.js';
import type { Services } from './services.js';

export interface EditOptions {
  /** The version that was read. When the block has another by now the edit is refused: `E_CONFLICT`, with the new text. */
  readonly expect?: number;
  /** Who edits, for the history: 1 to 128 characters, not `model`. Default `user`. */
  readonly by?: Author;
}

export interface UndoOptions extends EditOptions {
  /** A version of the history, as a checkpoint. Default: the nearest. */
  readonly to?: number;
}

export interface WorkingContextHost {
  readonly services: Services;
  readonly limits: Limits;
  /** With the process attached, which is not passivated meanwhile. */
  attached<T>(work: (runner: Runner) => Promise<T>): Promise<T>;
}

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

  /** By name. */
  async list(): Promise<readonly Block[]> {
    return this.#host.attached(async ({ state }) => state.blocks);
  }

  async get(name: string): Promise<Block> {
    return findBlock(await this.list(), name);
  }

  /** Adds a line. */
  append(name: string, content: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'append', name, content }, options);
  }

  /** Replaces the first place where `from` stands. */
  replace(name: string, from: string, to: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'replace', name, from, to }, options);
  }

  set(name: string, value: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'set', name, value }, options);
  }

  /** Gives the block the value before its last edit, exactly. Also `E_BLOCK` when the history does not go back so far. */
  undo(name: string, options: UndoOptions = {}): Promise<Block> {
    return this.#restore(name, 'undo', options);
  }

  /** Takes an undo back, as long as nothing was edited since. */
  redo(name: string, options: UndoOptions = {}): Promise<Block> {
    return this.#restore(name, 'redo', options);
  }

  /** The values that the block had, oldest first; at most `limits.blockVersions`. */
  async history(name: string): Promise<readonly BlockVersion[]> {
    return readHistory(this.#host.services.recall, this.#pid, await this.get(name));
  }

  /** Also `E_BLOCK` when there are `limits.blocks` already, and `E_INVALID` for a name that is taken. */
  async add(block: NewBlock, options?: Pick<EditOptions, 'by'>): Promise<Block> {
    const { name, value, limit, readOnly } = toBlock(block, this.#host.limits);
    return this.#edit({ kind: 'add', name, value, limit, readOnly }, options);
  }

  /** Removes the block with its history. Resolves to what it was. */
  remove(name: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'remove', name }, options);
  }

  rename(name: string, to: string, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'rename', name, to }, options);
  }

  /** In code points. A limit below what the block holds is allowed: from then on it can only shrink. */
  setLimit(name: string, limit: number, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'limit', name, limit }, options);
  }

  /** Whether the model may edit it. Users may in any case. */
  setReadOnly(name: string, readOnly: boolean, options?: EditOptions): Promise<Block> {
    return this.#edit({ kind: 'read-only', name, readOnly }, options);
  }

  async #restore(name: string, direction: 'undo' | 'redo', options: UndoOptions): Promise<Block> {
    const { recall } = this.#host.services;
    return this.#run(options, async ({ state }) => {
      const { value, version } = await readTarget(
        recall,
        this.#pid,
        findBlock(state.blocks, name),
        direction,
        options.to,
      );
      return { kind: 'restore', name, version, value };
    });
  }

  #edit(edit: BlockEdit, options: EditOptions = {}): Promise<Block> {
    return this.#run(options, async () => edit);
  }

  /** Decides in its place in line, by the same function as the core: what is refused becomes an error, and no event. */
  async #run(
    { expect, by = USER }: EditOptions,
    makeEdit: (runner: Runner) => Promise<BlockEdit>,
  ): Promise<Block> {
    const { clock } = this.#host.services;
    const author = checkedAuthor(by);
    let outcome: Block | undefined;
    await this.#host.attached((runner) =>
      runner.run(async () => {
        const edit = { ...(await makeEdit(runner)), ...(expect !== undefined && { expect }) };
        const { blocks } = runner.state;
        const at = clock.now();
        const result = editBlocks(blocks, edit, { by: author, at, limits: this.#host.limits });
        if (!result.ok) throw refusalError(result);
        outcome = result.block ?? findBlock(blocks, edit.name);
        return { type: 'edited', at, by: author, edits: [edit] };
      }),
    );
    if (!outcome) throw new PagefaultError('E_STORAGE', 'the edit was not run');
    return outcome;
  }
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

/** Errors: `E_INVALID`. */
function checkedAuthor(by: Author): Author {
  const name = normaliseText(by);
  if (name !== '' && name.length <= 128 && name !== MODEL) return name;
  throw new PagefaultError('E_INVALID', `"${name.slice(0, 40)}" cannot be who edits a block`, {
    hint: `use 1 to 128 characters; "${MODEL}" is the process's own model`,
  });
}
