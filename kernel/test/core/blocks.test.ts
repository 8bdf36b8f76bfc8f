import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdit } from '../../src/core/blocks.js';
import type { BlockEdit } from '../../src/core/events.js';
import type { Block } from '../../src/core/state.js';
import { codePoints } from '../../src/core/text.js';
import { Harness } from '../support/harness.js';
import { call, calls, says, tells } from '../support/replies.js';

function block(value: string, change: Partial<Block> = {}): Block {
  return { name: 'human', value, limit: 50, version: 1, readOnly: false, ...change };
}

function edit(
  before: Block,
  change: BlockEdit,
): { ok: boolean; text: string; value: string; version: number } {
  const result = applyEdit([before], change);
  const after = (result.ok && result.blocks[0]) || before;
  return { ok: result.ok, text: result.text, value: after.value, version: after.version };
}

const append = (content: string): BlockEdit => ({ kind: 'append', name: 'human', content });
const replace = (from: string, to: string): BlockEdit => ({ kind: 'replace', name: 'human', from, to });

describe('an edit of a block', () => {
  it('appends a line, and raises the version', () => {
    expect(edit(block('Ada'), append('lives in Cork'))).toMatchObject({
      value: 'Ada\nlives in Cork',
      version: 2,
    });
    expect(edit(block(''), append('Ada')).value).toBe('Ada');
  });

  it('replaces the first place, and takes $& as it stands', () => {
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
            const result = applyEdit([current], change);
            if (result.ok) current = result.blocks[0] ?? current;
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

describe('blocks in main context', () => {
  const blocks = [block('I am kind.', { name: 'persona', limit: 200 }), block('', { limit: 200 })];

  it('show an edit in the next request, and commit it with its result', () => {
    const edits = [
      calls(call('core_memory_append', { name: 'human', content: 'Breeds alpacas.' })),
      tells('Noted.'),
    ];
    const harness = new Harness({ blocks, reply: (_, n) => edits[n] ?? says('ok') });
    harness.send('I breed alpacas');
    expect(harness.requests[1]?.request.system).toContain('Breeds alpacas.');
    const commit = harness.store.commits.findLast(({ puts }) =>
      puts?.some(({ space }) => space === 'blocks'),
    );
    expect(commit?.appends?.map(({ message }) => message.role)).toEqual(['tool']);
    expect(harness.store.message(3).parts[0]).toMatchObject({
      text: 'OK. Block "human" holds 15 of 200 characters.',
    });
  });

  it('make the next cycle run when an edit is refused, also without a heartbeat (C25)', () => {
    const replies = [calls(call('core_memory_append', { name: 'nobody', content: 'x' })), tells('sorry')];
    const harness = new Harness({ blocks, reply: (_, n) => replies[n] ?? says('late') });
    expect(harness.send('remember x')).toMatchObject({ outcome: 'answered', text: 'sorry', cycles: 2 });
    expect(harness.store.message(3).parts[0]).toMatchObject({ isError: true });
  });

  it('stand in the same order after a load, so that the prefix stays the same', () => {
    const harness = new Harness({ blocks });
    harness.send('hello');
    harness.reload();
    harness.send('hello');
    expect(harness.requests[1]?.request.system).toBe(harness.requests[0]?.request.system);
  });

  it('show no figures that would change the prefix at every edit (A57)', () => {
    const harness = new Harness({ blocks });
    harness.send('hello');
    expect(harness.requests[0]?.request.system).not.toMatch(/\b10\b|%/);
  });

  it('leave the prefix byte-equal when nothing was edited (A56)', () => {
    const harness = new Harness({ blocks });
    for (let n = 0; n < 3; n++) harness.send(`turn ${n}`);
    expect(new Set(harness.requests.map(({ request }) => request.system)).size).toBe(1);
    const [first, second] = harness.requests;
    const kept = first?.request.messages.slice(0, -1) ?? [];
    expect(second?.request.messages.slice(0, kept.length)).toEqual(kept);
  });
});
