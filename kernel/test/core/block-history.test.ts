import type { Put, RowKey } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockEdit } from '../../src/core/block-edit.js';
import {
  historyKey,
  redoTarget,
  type StoredVersion,
  undoTarget,
  withoutHistory,
} from '../../src/core/block-history.js';
import { editBlocks } from '../../src/core/blocks.js';
import type { Block } from '../../src/core/state.js';
import { Harness } from '../support/harness.js';

/** Blocks with the rows of their history, as a store keeps them. */
class Context {
  blocks: readonly Block[];
  readonly rows = new Map<string, StoredVersion>();
  readonly #keep: number;
  #now = 0;

  constructor(blocks: readonly Block[], keep = 50) {
    [this.blocks, this.#keep] = [blocks, keep];
  }

  /** True when it was accepted. */
  edit(edit: BlockEdit, by = 'user'): boolean {
    const limits = { blocks: 9, blockVersions: this.#keep };
    const result = editBlocks(this.blocks, edit, { by, at: (this.#now += 1), limits });
    if (!result.ok) return false;
    this.blocks = result.blocks;
    this.#store(result.puts, result.deletes);
    return true;
  }

  undo(name: string, to?: number): boolean {
    return this.#restore(name, undoTarget(this.block(name), to));
  }

  redo(name: string, to?: number): boolean {
    return this.#restore(name, redoTarget(this.block(name), to));
  }

  block(name: string): Block {
    const found = this.blocks.find((block) => block.name === name);
    if (!found) throw new Error(`no block ${name}`);
    return found;
  }

  row(name: string, version: number): StoredVersion | undefined {
    return this.rows.get(historyKey(this.block(name).history?.key ?? '', version).key);
  }

  #restore(name: string, version: number | undefined): boolean {
    const value = version === undefined ? undefined : this.row(name, version)?.value;
    if (version === undefined || value === undefined) return false;
    return this.edit({ kind: 'restore', name, version, value });
  }

  #store(puts: readonly Put[], deletes: readonly RowKey[]): void {
    for (const { key, value } of puts) this.rows.set(key, value as unknown as StoredVersion);
    for (const { key } of deletes) expect(this.rows.delete(key)).toBe(true);
  }
}

const human: Block = { name: 'human', value: 'first', limit: 1_000, version: 1, readOnly: false };
const set = (value: string): BlockEdit => ({ kind: 'set', name: 'human', value });

describe('the history of a block', () => {
  it('begins with the first edit, and knows who wrote what', () => {
    const context = new Context([human]);
    expect(context.rows.size).toBe(0);
    context.edit(set('second'), 'Ada');
    expect(context.row('human', 1)).toEqual({ value: 'first', by: 'program' });
    expect(context.row('human', 2)).toEqual({ value: 'second', by: 'Ada', at: 1 });
  });

  it('gives exact values back, and takes an undo back (90)', () => {
    const context = new Context([human]);
    context.edit(set('  second \n'));
    context.edit(set(''));
    expect(context.undo('human')).toBe(true);
    expect(context.block('human')).toMatchObject({ value: '  second \n', version: 4 });
    expect(context.undo('human')).toBe(true);
    expect(context.block('human').value).toBe('first');
    expect(context.undo('human')).toBe(false);
    expect(context.redo('human') && context.redo('human')).toBe(true);
    expect(context.block('human').value).toBe('');
    expect(context.redo('human')).toBe(false);
  });

  it('goes to any version that it keeps: a checkpoint is a number (90)', () => {
    const context = new Context([human]);
    for (const value of ['second', 'third', 'fourth']) context.edit(set(value));
    expect(context.undo('human', 9)).toBe(false);
    expect(context.undo('human', 4)).toBe(false);
    expect(context.undo('human', 2)).toBe(true);
    expect(context.block('human').value).toBe('second');
    expect(context.redo('human', 4)).toBe(true);
    expect(context.block('human').value).toBe('fourth');
  });

  it('refuses an undo from a stale copy (91)', () => {
    const context = new Context([human]);
    context.edit(set('second'));
    expect(context.edit({ kind: 'restore', name: 'human', version: 1, value: 'first', expect: 1 })).toBe(
      false,
    );
    expect(context.block('human').value).toBe('second');
  });

  it('refuses an undo that would pass the limit, which was lowered since (A61)', () => {
    const context = new Context([human]);
    context.edit(set('x'));
    context.edit({ kind: 'limit', name: 'human', limit: 3 });
    expect(context.undo('human')).toBe(false);
    expect(context.block('human').value).toBe('x');
  });

  it('survives a rename, and stays apart from a new block of the old name', () => {
    const context = new Context([human]);
    context.edit(set('second'));
    context.edit({ kind: 'rename', name: 'human', to: 'user' });
    context.edit({ kind: 'add', name: 'human', value: 'other', limit: 100, readOnly: false });
    context.edit(set('other second'));
    expect(context.undo('user') && context.undo('human')).toBe(true);
    expect(context.blocks.map(({ value }) => value)).toEqual(['other', 'first']);
  });

  it('goes with its block, and with nothing else', () => {
    const context = new Context([human, { ...human, name: 'persona' }]);
    context.edit(set('second'));
    context.edit({ kind: 'append', name: 'persona', content: 'x' });
    context.edit({ kind: 'remove', name: 'human' });
    expect([...context.rows.keys()]).toEqual(['persona/000000000001', 'persona/000000000002']);
  });

  it('is not of a copy of the process: its rows are the original’s', () => {
    const context = new Context([human]);
    context.edit(set('second'));
    const [copied] = withoutHistory(context.blocks);
    expect(copied).toEqual({ ...human, value: 'second', version: 2 });
  });

  it('is a list with a place in it, whatever is edited, undone, redone, resized and renamed', () => {
    const command = fc.oneof(
      { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }).map((value) => ({ set: value })) },
      { weight: 3, arbitrary: fc.constantFrom('undo' as const, 'redo' as const) },
      { weight: 1, arbitrary: fc.constantFrom('rename' as const, 'read-only' as const) },
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), fc.integer({ min: 1, max: 6 }), (commands, keep) => {
        const context = new Context([human], keep);
        let [list, at, name] = [['first'], 0, 'human'];
        let readOnly = false;
        for (const one of commands) {
          const before = context.block(name);
          if (typeof one === 'object') {
            context.edit({ kind: 'set', name, value: one.set });
            const value = one.set.toWellFormed().replaceAll('\u0000', '');
            if (value !== list[at]) list = [...list.slice(0, at + 1), value].slice(-keep);
            if (value !== before.value) at = list.length - 1;
          } else if (one === 'undo') {
            expect(context.undo(name)).toBe(at > 0);
            at = Math.max(0, at - 1);
          } else if (one === 'redo') {
            expect(context.redo(name)).toBe(at < list.length - 1);
            at = Math.min(list.length - 1, at + 1);
          } else if (one === 'rename') {
            const to = name === 'human' ? 'user' : 'human';
            context.edit({ kind: 'rename', name, to });
            name = to;
          } else context.edit({ kind: 'read-only', name, readOnly: (readOnly = !readOnly) });
          const block = context.block(name);
          expect(block.value).toBe(list[at]);
          expect(block.version > before.version || block === before).toBe(true);
          // No row without a value to go to, and none is missing.
          const versions = block.history?.versions ?? [];
          expect(versions.map((version) => context.row(name, version)?.value)).toEqual(
            block.history ? list : [],
          );
          expect(context.rows.size).toBe(versions.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe('a commit', () => {
  const drive = (harness: Harness, ...edits: BlockEdit[]) =>
    harness.drive({ type: 'edited', at: harness.now, by: 'user', edits });

  it('holds the edit together with the row of its history', () => {
    const harness = new Harness({ blocks: [human] });
    drive(harness, set('second'));
    const spaces = harness.store.commits.at(-1)?.puts?.map(({ space }) => space) ?? [];
    expect([...new Set(spaces)].toSorted()).toEqual(['block-history', 'blocks', 'state']);
    expect(harness.store.rows('block-history').map(({ value }) => value)).toEqual([
      { value: 'first', by: 'program' },
      { value: 'second', by: 'user', at: harness.now },
    ]);
  });

  it('never both writes and deletes a row', () => {
    const harness = new Harness({ blocks: [human] });
    drive(harness, set('second'));
    drive(
      harness,
      { kind: 'remove', name: 'human' },
      { kind: 'add', name: 'human', value: 'anew', limit: 100, readOnly: false },
      set('anew second'),
    );
    const { puts = [], deletes = [] } = harness.store.commits.at(-1) ?? {};
    const written = new Set(puts.map(({ space, key }) => `${space}/${key}`));
    expect(deletes.filter(({ space, key }) => written.has(`${space}/${key}`))).toEqual([]);
    expect(harness.store.rows('block-history').map(({ value }) => value)).toMatchObject([
      { value: 'anew' },
      { value: 'anew second' },
    ]);
  });
});
