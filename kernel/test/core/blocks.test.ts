import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockEdit } from '../../src/core/block-edit.js';
import { editBlocks } from '../../src/core/blocks.js';
import { refusalError, toldToModel } from '../../src/core/edit-texts.js';
import type { Block } from '../../src/core/state.js';
import { codePoints } from '../../src/core/text.js';
import { messageContent } from '../support/count.js';
import { Harness } from '../support/harness.js';
import { call, calls, says, tells } from '../support/replies.js';

function block(value: string, change: Partial<Block> = {}): Block {
  return { name: 'human', value, limit: 50, version: 1, readOnly: false, ...change };
}

const context = { by: 'model', at: 0, limits: { blocks: 3, blockVersions: 10 } };

function edit(before: Block, change: BlockEdit, by = 'model') {
  const blocks = [before];
  const result = editBlocks(blocks, change, { ...context, by });
  const after = (result.ok && result.block) || before;
  const changed = result.ok && result.blocks !== blocks;
  return { ok: result.ok, text: toldToModel(result), value: after.value, version: after.version, changed };
}

const append = (content: string): BlockEdit => ({ kind: 'append', name: 'human', content });
const replace = (from: string, to: string): BlockEdit => ({ kind: 'replace', name: 'human', from, to });

describe('an edit of a block', () => {
  it('appends a line, and raises the version (gap 2)', () => {
    expect(edit(block('Ada'), append('lives in Cork'))).toMatchObject({
      value: 'Ada\nlives in Cork',
      version: 2,
    });
    expect(edit(block(''), append('Ada')).value).toBe('Ada');
  });

  it('replaces the first place, and takes $& as it stands (gap 2)', () => {
    expect(edit(block('a b a'), replace('a', '$& $1 $`')).value).toBe('$& $1 $` b a');
  });

  it('deletes by an empty replacement', () => {
    expect(edit(block('Ada Byron'), replace(' Byron', '')).value).toBe('Ada');
  });

  it('refuses what would pass the limit by every path, with sizes and the text (A61)', () => {
    const full = block('x'.repeat(50));
    for (const change of [append('y'), replace('x', 'xy')]) {
      const result = edit(full, change);
      expect(result).toMatchObject({ ok: false, value: full.value, version: 1 });
      expect(result.text).toMatch(
        /would hold 5[12] characters, its limit is 50.*core_memory_replace.*\nx{50}/s,
      );
    }
  });

  it('may shrink a block that is over its limit (A62)', () => {
    const over = block('x'.repeat(80));
    expect(edit(over, replace('xx', 'x'))).toMatchObject({ ok: true, value: 'x'.repeat(79) });
    expect(edit(over, replace('xx', 'yy')).ok).toBe(false);
    expect(edit(over, append('y')).ok).toBe(false);
  });

  it('refuses a read-only block, and names the blocks that there are', () => {
    expect(edit(block('Ada', { readOnly: true }), append('x')).text).toBe('The block "human" is read-only.');
    expect(edit(block('Ada'), { kind: 'append', name: 'hunam', content: 'x' }).text).toBe(
      'There is no block "hunam". Blocks: human.',
    );
  });

  it('of a user passes a read-only block, but not its limit (A61)', () => {
    const locked = block('Ada', { readOnly: true });
    expect(edit(locked, append('x'), 'user')).toMatchObject({ ok: true, value: 'Ada\nx' });
    expect(edit(locked, append('x'.repeat(50)), 'user')).toMatchObject({ ok: false, value: 'Ada' });
  });

  it('from an old read is refused with the new text, whatever it is (C31)', () => {
    const newer = block('Ada Byron', { version: 3 });
    const kinds: BlockEdit[] = [
      append('x'),
      replace('Ada', 'Eve'),
      { kind: 'set', name: 'human', value: '' },
      { kind: 'limit', name: 'human', limit: 10 },
      { kind: 'read-only', name: 'human', readOnly: true },
      { kind: 'rename', name: 'human', to: 'user' },
      { kind: 'remove', name: 'human' },
    ];
    for (const change of kinds) {
      const result = edit(newer, { ...change, expect: 2 }, 'user');
      expect(result).toMatchObject({ ok: false, value: 'Ada Byron', version: 3 });
      expect(result.text).toMatch(/at version 3, .* of version 2.*now:\nAda Byron/s);
      expect(edit(newer, { ...change, expect: 3 }, 'user').ok).toBe(true);
    }
  });

  it('that changes nothing is accepted, and leaves the very same blocks (93)', () => {
    const same: BlockEdit[] = [
      append('\u0000'),
      replace('Ada', 'Ada'),
      { kind: 'set', name: 'human', value: 'Ada' },
      { kind: 'limit', name: 'human', limit: 50 },
      { kind: 'read-only', name: 'human', readOnly: false },
      { kind: 'rename', name: 'human', to: 'human' },
    ];
    for (const change of same)
      expect(edit(block('Ada'), change, 'user')).toMatchObject({ ok: true, version: 1, changed: false });
  });

  it('sets a limit below what the block holds, and then lets it shrink alone (A62)', () => {
    const lowered = editBlocks(
      [block('x'.repeat(40))],
      { kind: 'limit', name: 'human', limit: 20 },
      { ...context, by: 'user' },
    );
    expect(lowered).toMatchObject({ ok: true, block: { limit: 20, version: 2 } });
    const over = (lowered.ok && lowered.block) || block('');
    expect(edit(over, replace('xx', '')).ok).toBe(true);
    expect(edit(over, append('y')).ok).toBe(false);
    expect(edit(over, { kind: 'set', name: 'human', value: 'y'.repeat(40) }, 'user').ok).toBe(false);
  });

  it('keeps a value and its limit apart: neither resets the other (88)', () => {
    expect(edit(block('Ada'), { kind: 'set', name: 'human', value: 'Eve' }, 'user').ok).toBe(true);
    const set = editBlocks([block('Ada')], { kind: 'set', name: 'human', value: 'Eve' }, context);
    expect(set).toMatchObject({ ok: true, block: { value: 'Eve', limit: 50 } });
    const raised = editBlocks([block('Ada')], { kind: 'limit', name: 'human', limit: 90 }, context);
    expect(raised).toMatchObject({ ok: true, block: { value: 'Ada', limit: 90 } });
  });

  it.each([0, -1, 1.5, Number.NaN, 1_000_001])('refuses %d as a limit', (limit) => {
    expect(edit(block('Ada'), { kind: 'limit', name: 'human', limit }, 'user').text).toMatch(
      /is not a whole number from 1 to 1,000,000/,
    );
  });

  it('shows the text when the old content is not there', () => {
    expect(edit(block('Ada'), replace('Bob', 'x'))).toMatchObject({
      ok: false,
      text: expect.stringContaining('now:\nAda'),
    });
  });

  it('never grows a block past its limit, whatever is written', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    fc.assert(
      fc.property(
        text,
        fc.array(
          fc.oneof(
            text.map(append),
            fc.tuple(text, text).map(([a, b]) => replace(a, b)),
          ),
        ),
        (first, edits) => {
          let current = block(first);
          for (const change of edits) {
            const before = codePoints(current.value);
            const result = editBlocks([current], change, context);
            if (result.ok) current = result.block ?? current;
            const after = codePoints(current.value);
            expect(after <= 50 || after <= before).toBe(true);
            expect(current.value.includes('\u0000')).toBe(
              first.includes('\u0000') && current.value.includes('\u0000'),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the list of blocks', () => {
  const [human, persona] = [block('Ada'), block('kind', { name: 'persona' })];
  const add = (name: string, value = ''): BlockEdit => ({
    kind: 'add',
    name,
    value,
    limit: 10,
    readOnly: false,
  });
  const after = (change: BlockEdit) => editBlocks([human, persona], change, context);
  const namesAfter = (change: BlockEdit) => {
    const result = after(change);
    return result.ok ? result.blocks.map(({ name }) => name) : toldToModel(result);
  };

  it('keeps its order by name when one is added, renamed or removed', () => {
    expect(namesAfter(add('links'))).toEqual(['human', 'links', 'persona']);
    expect(namesAfter({ kind: 'rename', name: 'human', to: 'user' })).toEqual(['persona', 'user']);
    expect(namesAfter({ kind: 'remove', name: 'human' })).toEqual(['persona']);
  });

  it('refuses a name that is taken or none, and says so (86)', () => {
    for (const change of [add('human'), { kind: 'rename', name: 'persona', to: 'human' } as const])
      expect(namesAfter(change)).toBe('There is a block "human" already.');
    for (const name of ['', '9lives', 'a b', 'x'.repeat(65), 'a/b'])
      expect(namesAfter(add(name))).toMatch(/is not a letter followed by/);
  });

  it('is bounded, and so is what is added', () => {
    const full = [human, persona, block('', { name: 'third' })];
    expect(editBlocks(full, add('fourth'), context)).toMatchObject({ ok: false, code: 'E_BLOCK' });
    expect(namesAfter(add('links', 'x'.repeat(11)))).toMatch(/would hold 11 characters, its limit is 10/);
  });

  it('tells a caller by an error what it tells the model in words', () => {
    const refused = after({ kind: 'append', name: 'nobody', content: 'x' });
    expect(refused.ok).toBe(false);
    if (!refused.ok)
      expect(refusalError(refused)).toMatchObject({
        code: 'E_NOT_FOUND',
        message: 'there is no block "nobody". Blocks: human, persona',
      });
    const over = after({ kind: 'append', name: 'human', content: 'x'.repeat(99) });
    if (!over.ok)
      expect(refusalError(over)).toMatchObject({
        code: 'E_BLOCK',
        hint: expect.stringContaining('setLimit'),
      });
  });
});

describe('blocks in main context', () => {
  const blocks = [block('I am kind.', { name: 'persona', limit: 200 }), block('', { limit: 200 })];

  it('show an edit in the next request under `classic`, and commit it with its result', () => {
    const edits = [
      calls(call('core_memory_append', { name: 'human', content: 'Breeds alpacas.' })),
      tells('Noted.'),
    ];
    const harness = new Harness({ blocks, layout: 'classic', reply: (_, n) => edits[n] ?? says('ok') });
    harness.send('I breed alpacas');
    expect(harness.requests[1]?.request.system).toContain('Breeds alpacas.');
    const commit = harness.store.commits.findLast(({ puts }) =>
      puts?.some(({ space }) => space === 'blocks'),
    );
    expect(commit?.appends?.map(({ message }) => message.role)).toEqual(['tool']);
    expect(harness.store.message(3).parts[0]).toMatchObject({
      text: 'OK. Block "human" holds 15 of 200 characters (version 2).',
    });
  });

  it('make the next cycle run when an edit is refused, also without a heartbeat (C25)', () => {
    const replies = [calls(call('core_memory_append', { name: 'nobody', content: 'x' })), tells('sorry')];
    const harness = new Harness({ blocks, reply: (_, n) => replies[n] ?? says('late') });
    expect(harness.send('remember x')).toMatchObject({ outcome: 'answered', text: 'sorry', cycles: 2 });
    expect(harness.store.message(3).parts[0]).toMatchObject({ isError: true });
  });

  it.each(['stable', 'classic'] as const)(
    'show an edit from outside in the next request, after a commit of its own (%s)',
    (layout) => {
      const harness = new Harness({ blocks, layout });
      harness.send('hello');
      const commits = harness.store.commits.length;
      harness.drive({
        type: 'edited',
        at: harness.now,
        by: 'user',
        edits: [{ kind: 'append', name: 'human', content: 'Breeds alpacas.' }],
      });
      expect(harness.store.commits).toHaveLength(commits + 1);
      expect(harness.store.state()).toEqual(harness.state);
      harness.send('hello again');
      expect(JSON.stringify(harness.requests[1]?.request)).toContain('Breeds alpacas.');
    },
  );

  it('take all edits of an event or none', () => {
    const harness = new Harness({ blocks });
    const commits = harness.store.commits.length;
    const before = harness.state;
    harness.drive({
      type: 'edited',
      at: harness.now,
      by: 'user',
      edits: [
        { kind: 'append', name: 'human', content: 'x' },
        { kind: 'append', name: 'nobody', content: 'x' },
      ],
    });
    expect(harness.state.blocks).toBe(before.blocks);
    expect(harness.store.commits).toHaveLength(commits);
  });

  it('are stored when they are edited, also while messages before them are held back', () => {
    const harness = new Harness({ blocks });
    const held = harness.interrupt('a line of a transcript', {}, false);
    if (held.type === 'interrupt') harness.drive({ ...held, interrupt: { ...held.interrupt, hold: true } });
    expect(harness.store.log).toHaveLength(0);
    harness.drive({
      type: 'edited',
      at: harness.now,
      by: 'user',
      edits: [{ kind: 'append', name: 'human', content: 'x' }],
    });
    expect(harness.store.log).toHaveLength(1);
    expect(harness.store.state()).toEqual(harness.state);
  });

  it('leave nothing to write and nothing to count when an edit changes nothing (93)', () => {
    const harness = new Harness({ blocks });
    const [commits, effects] = [harness.store.commits.length, harness.effects.length];
    harness.drive({
      type: 'edited',
      at: harness.now,
      by: 'user',
      edits: [{ kind: 'set', name: 'human', value: '' }],
    });
    expect(harness.store.commits).toHaveLength(commits);
    expect(harness.effects).toHaveLength(effects);
  });

  describe.each(['stable', 'classic'] as const)('under `%s`', (layout) => {
    /** All that stands before the queue. */
    const prefixes = ({ requests }: Harness) =>
      requests.map(({ request }) => {
        const lead = request.messages.filter(({ id }) => id === 'blocks');
        return [request.system, ...lead.map(messageContent)].join('\n');
      });

    it('stand in the same order after a load, so that the prefix stays the same', () => {
      const harness = new Harness({ blocks, layout });
      harness.send('hello');
      harness.reload();
      harness.send('hello');
      const [first = '', second] = prefixes(harness);
      expect(first).toContain('I am kind.');
      expect(second).toBe(first);
    });

    it('show no figures that would change the prefix at every edit (A57)', () => {
      const harness = new Harness({ blocks, layout });
      harness.send('hello');
      expect(prefixes(harness)[0]).not.toMatch(/\b10\b|%/);
    });

    it('leave the prefix byte-equal when nothing was edited (A56)', () => {
      const harness = new Harness({ blocks, layout });
      for (let n = 0; n < 3; n++) harness.send(`turn ${n}`);
      expect(new Set(prefixes(harness)).size).toBe(1);
      const [first, second] = harness.requests;
      const kept = first?.request.messages.slice(0, -1) ?? [];
      expect(second?.request.messages.slice(0, kept.length)).toEqual(kept);
    });
  });
});
