import type { InferRequest } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { MODEL } from '../../src/core/block-edit.js';
import { Draft } from '../../src/core/draft.js';
import { findDialect } from '../../src/core/dialect/registry.js';
import { findLayout, type LayoutName } from '../../src/core/layout/registry.js';
import { pressureOf, uncounted, withCounts } from '../../src/core/pressure.js';
import { renderOverfullNotes, setBlocks, takeLayout, tellEdits } from '../../src/core/rendered-blocks.js';
import { type Block, createState } from '../../src/core/state.js';
import { fifo } from '../../src/policy/fifo.js';
import { countPiece, messageContent } from '../support/count.js';
import { configOf, Harness, type HarnessOptions } from '../support/harness.js';
import { call, calls, reply, says, tells } from '../support/replies.js';
import { textOf } from '../support/words.js';

const block = (name: string, value: string, version = 1): Block => ({
  name,
  value,
  limit: 2_000,
  version,
  readOnly: false,
});
const BLOCKS = [block('persona', 'I am kind.'), block('human', 'Ada')];

const appends = (content: string) => calls(call('core_memory_append', { name: 'human', content }));

/** Answers; the replies at `at` append to a block first. */
function editing(at: readonly number[], content = 'Breeds alpacas.'): NonNullable<HarnessOptions['reply']> {
  return (_, n) => (at.includes(n) ? appends(`${content} ${n}`) : tells('ok'));
}

function prefixOf(request: InferRequest | undefined): string {
  const lead = request?.messages.filter(({ id }) => id === 'blocks' || id === 'summary') ?? [];
  return [request?.system, ...lead.map(messageContent)].join('\n');
}

/** What the next request repeats of this one: all but the tail. */
function repeated(request: InferRequest | undefined): string[] {
  return [request?.system ?? '', ...(request?.messages.slice(0, -1).map((one) => JSON.stringify(one)) ?? [])];
}

function untilFlush(harness: Harness): void {
  const before = harness.observed('flush-finished').length;
  while (harness.observed('flush-finished').length === before) harness.send(textOf(150));
}

describe('the layout `stable`', () => {
  it('sends the system text, the blocks with their versions, the summary, the queue and the tail', () => {
    const harness = new Harness({ blocks: BLOCKS });
    untilFlush(harness);
    const { system, messages } = harness.requests.at(-1)?.request ?? { system: '', messages: [] };
    expect(system).toBe('You remember.');
    expect(messages.slice(0, 2).map(({ id }) => id)).toEqual(['blocks', 'summary']);
    expect(messages.at(-1)?.id).toBe('tail');
    expect(messages[0] && messageContent(messages[0])).toBe(
      '<block name="human" version="1" limit="2000">\nAda\n</block>\n' +
        '<block name="persona" version="1" limit="2000">\nI am kind.\n</block>',
    );
  });

  it('sends no message for the blocks when there are none', () => {
    const harness = new Harness();
    harness.send('hello');
    expect(harness.lastMessages()[0]?.role).toBe('user');
  });

  it("leaves the prefix byte-equal through the model's own edits: they stand in its calls (A56)", () => {
    const harness = new Harness({ blocks: BLOCKS, reply: editing([1, 3, 5]) });
    for (let n = 0; n < 5; n++) harness.send(`turn ${n}`);
    expect(harness.state.blocks[0]?.value).toContain('alpacas. 5');
    for (const [index, { request }] of harness.requests.entries()) {
      const earlier = repeated(harness.requests[index - 1]?.request);
      if (index > 0) expect(repeated(request).slice(0, earlier.length)).toEqual(earlier);
    }
  });

  it('renders the blocks anew at a flush, and never between two', () => {
    const harness = new Harness({ blocks: BLOCKS, reply: editing([1, 9]) });
    const prefixes = new Map<number, Set<string>>();
    for (let n = 0; n < 30; n++) {
      harness.send(textOf(100));
      const flushes = harness.observed('flush-finished').length;
      const known = prefixes.get(flushes) ?? new Set();
      prefixes.set(flushes, known.add(prefixOf(harness.requests.at(-1)?.request)));
    }
    expect(prefixes.size).toBeGreaterThan(2);
    for (const known of prefixes.values()) expect(known.size).toBe(1);
    expect(prefixOf(harness.requests.at(-1)?.request)).toContain('<block name="human" version="3"');
  });

  it('keeps the rendering over a restart, byte for byte', () => {
    const harness = new Harness({ blocks: BLOCKS, reply: editing([0]) });
    harness.send('I breed alpacas');
    const before = repeated(harness.requests.at(-1)?.request);
    harness.reload();
    harness.send('hello');
    expect(repeated(harness.requests.at(-1)?.request).slice(0, before.length)).toEqual(before);
    expect(harness.state.rendered?.text).not.toContain('alpacas');
  });

  it('renders them anew also when a reclaim makes a stub and nothing may leave', () => {
    const long = { type: 'text', text: textOf(400) } as const;
    const edit = call('core_memory_append', { name: 'human', content: 'Breeds alpacas.' });
    const harness = new Harness({
      blocks: BLOCKS,
      limits: { oversizedShare: 1, warningShare: 1 },
      reply: (_, n) => (n === 0 ? reply([long, edit], 'calls') : says('ok')),
    });
    harness.send(textOf(1_200));
    expect(harness.observed('page-stubbed').length).toBeGreaterThan(0);
    expect(harness.observed('page-evicted')).toHaveLength(0);
    expect(prefixOf(harness.requests.at(-1)?.request)).toContain('Breeds alpacas.');
  });

  it('counts exactly what it sends', () => {
    const harness = new Harness({ blocks: BLOCKS, reply: editing([1, 4, 7]) });
    for (let n = 0; n < 25; n++) harness.send(textOf(100));
    expect(harness.observed('flush-finished').length).toBeGreaterThan(1);
    for (const { request, tokens } of harness.requests) {
      const queue = request.messages.slice(0, -1);
      const counted =
        countPiece({ kind: 'tools', tools: request.tools }) +
        countPiece({ kind: 'system', text: request.system }) +
        queue.reduce((sum, message) => sum + countPiece({ kind: 'message', message }), 0) +
        (harness.state.head.counts.tail ?? 0);
      expect(tokens).toBe(counted);
    }
  });

  it('knows before a flush what the blocks will take after it', () => {
    const blocks = [{ ...block('human', 'Ada'), limit: 10_000 }];
    const harness = new Harness({ blocks, limits: { keepExchanges: 0 }, reply: editing([1], textOf(450)) });
    untilFlush(harness);
    const { after = 0 } = harness.observed('flush-finished')[0] ?? {};
    expect(after).toBeLessThanOrEqual(harness.machine.budget.tokens * 0.5);
    expect(after).toBeGreaterThan(450);
    expect(prefixOf(harness.requests.at(-1)?.request)).toContain('version="2"');
  });
});

function notesIn(harness: Harness): string[] {
  return harness.lastMessages().flatMap((one) => (one.notice === 'block-edit' ? [messageContent(one)] : []));
}

describe('edits by others under `stable`', () => {
  it('between two turns become one note, before the message that begins the next', () => {
    const harness = new Harness({ blocks: BLOCKS });
    harness.send('hello');
    const before = repeated(harness.requests.at(-1)?.request);
    for (const value of ['Eve', 'Eva', 'Ida']) harness.edit('human', value);
    expect(harness.store.state()).toEqual(harness.state);
    harness.send('who am I?');
    expect(notesIn(harness)).toEqual([
      expect.stringMatching(
        /^\[Block "human" was changed by "user" and is at version 4\..*\n- Ada\n\+ Ida\]$/,
      ),
    ]);
    expect(
      harness
        .lastMessages()
        .slice(-3)
        .map(({ role }) => role),
    ).toEqual(['system', 'user', 'system']);
    expect(repeated(harness.requests.at(-1)?.request).slice(0, before.length)).toEqual(before);
  });

  it('are told after a restart in between', () => {
    const harness = new Harness({ blocks: BLOCKS });
    harness.edit('human', 'Eve');
    harness.reload();
    harness.send('who am I?');
    expect(notesIn(harness)).toHaveLength(1);
  });

  it('are rendered at the next flush, and their notes are gone: not indexed, not summarised, told to no policy', () => {
    const harness = new Harness({ blocks: BLOCKS });
    harness.edit('human', 'Eve of Galway');
    harness.send('who am I?');
    const note = harness.store.log.find(({ message }) => message.notice === 'block-edit');
    untilFlush(harness);
    expect(notesIn(harness)).toEqual([]);
    expect(prefixOf(harness.requests.at(-1)?.request)).toContain('Eve of Galway');
    expect(JSON.stringify(harness.summaries)).not.toContain('Galway');
    const documents = harness.store.commits.flatMap((commit) => commit.documents ?? []);
    expect(documents.map(({ seq }) => seq)).not.toContain(note?.seq);
    const told = [...harness.observed('page-born'), ...harness.observed('page-evicted')];
    expect(told.map(({ page }) => page)).not.toContain(note?.page);
    expect(harness.observed('blocks-rendered')).toEqual([{ name: 'blocks-rendered', notes: 1 }]);
  });

  it('cannot be pinned: the note goes with the next rendering, and the block stays', () => {
    const harness = new Harness({ blocks: BLOCKS });
    harness.edit('human', 'Eve');
    harness.send('who am I?');
    harness.drive({ type: 'pin', at: harness.now, change: { kind: 'pin', handle: 'm1' } });
    expect(harness.store.message(1).notice).toBe('block-edit');
    expect(harness.state.head.pins?.pages ?? []).toEqual([]);
  });

  it('leave room by a rendering alone when that is enough, and nothing is evicted', () => {
    const harness = new Harness({
      blocks: [{ ...block('human', textOf(700)), limit: 10_000 }],
      limits: { oversizedShare: 1, warningShare: 0.9 },
    });
    for (let n = 0; n < 5; n++) harness.send(textOf(40));
    harness.edit('human', 'Ada');
    harness.send(textOf(620));
    expect(harness.observed('blocks-rendered')).toHaveLength(1);
    expect(harness.observed('page-evicted')).toHaveLength(0);
    expect(harness.requests.at(-1)?.tokens).toBeLessThan(1_200);
  });

  it('leave room by a rendering before anything is cut, when nothing may leave', () => {
    const harness = new Harness({
      blocks: [{ ...block('human', textOf(500)), limit: 10_000 }],
      limits: { oversizedShare: 1 },
    });
    harness.edit('human', 'Ada');
    harness.send(textOf(1_150));
    expect(harness.observed('blocks-rendered')).toHaveLength(1);
    expect(harness.observed('page-stubbed')).toHaveLength(0);
    // More than a rendering alone is worth while something else may go.
    expect(harness.requests.at(-1)?.tokens).toBeGreaterThan(harness.machine.budget.tokens * 0.7);
  });

  it('let a process go on whose blocks alone were too large for its window', () => {
    const harness = new Harness({
      blocks: [{ ...block('human', textOf(1_000)), limit: 10_000 }],
    });
    harness.reload({ window: 1_200 });
    expect(harness.send('hello')).toMatchObject({
      outcome: 'failed',
      failure: { code: 'E_CONTEXT_IRREDUCIBLE' },
    });
    harness.edit('human', 'Ada');
    expect(harness.send('hello').outcome).toBe('answered');
  });
});

describe('a change of layout', () => {
  it('renders the blocks of a process that was stored under `classic`, and counts anew', () => {
    const harness = new Harness({ blocks: BLOCKS, layout: 'classic' });
    harness.send('hello');
    expect(harness.store.row('state', 'rendered')).toBeUndefined();
    harness.reload({ layout: 'stable' });
    harness.send('hello again');
    const { request, tokens } = harness.requests.at(-1) ?? {};
    expect(request?.messages[0]?.id).toBe('blocks');
    expect(tokens).toBe(pressureOf(harness.state) - countOf(harness, 'ok'));
  });

  it('shows live blocks again to a process that was stored under `stable`', () => {
    const harness = new Harness({ blocks: BLOCKS, reply: editing([0]) });
    harness.send('I breed alpacas');
    harness.reload({ layout: 'classic' });
    harness.send('hello');
    const { request } = harness.requests.at(-1) ?? {};
    expect(request?.system).toContain('Breeds alpacas.');
    expect(request?.messages[0]?.role).toBe('user');
    expect(harness.store.row('state', 'rendered')).toBeUndefined();
  });

  it('names the known layouts when it does not know one', () => {
    expect(() => findLayout('clasic')).toThrow('layout "clasic" is not known');
    expect(() => findLayout('clasic')).toThrow(
      expect.objectContaining({ code: 'E_CONFIG', hint: 'known layouts: stable, classic, user-last' }),
    );
  });
});

function countOf(harness: Harness, said: string): number {
  const last = harness.state.pages.at(-1)?.messages[0]?.message;
  expect(last && messageContent(last)).toContain(said);
  return harness.state.pages.at(-1)?.tokens ?? 0;
}

/** A draft whose parts are counted, as the machine has it between two effects. */
function draftOf(blocks: readonly Block[], layout: LayoutName = 'stable'): Draft {
  const config = configOf({ layout });
  const parts = { policy: fifo(), layout: findLayout(layout), dialect: findDialect('memgpt') };
  const draft = new Draft(config, parts, createState({ pid: 'p1', blocks }), undefined);
  takeLayout(draft);
  return counted(draft);
}

function counted(draft: Draft): Draft {
  const pieces = uncounted(draft.state, draft.config, draft.parts.layout);
  const tokens = Object.fromEntries(pieces.map(({ key, piece }) => [key, countPiece(piece)]));
  draft.state = withCounts(draft.state, tokens);
  return draft;
}

function notesOf({ state }: Draft): string[] {
  const messages = state.pages.flatMap((page) => page.messages.map(({ message }) => message));
  return messages.filter(({ notice }) => notice === 'block-edit').map(messageContent);
}

/** Sets a block, tells it, and gives the notes that are in the queue then. */
function edited(draft: Draft, change: readonly Block[], by = 'api'): string[] {
  const names = new Set(change.map(({ name }) => name));
  setBlocks(draft, [...draft.state.blocks.filter(({ name }) => !names.has(name)), ...change], by);
  tellEdits(draft);
  return notesOf(counted(draft));
}

describe('an edit by others', () => {
  it('is told by a short note with the new version, and leaves the prefix alone', () => {
    const draft = draftOf([block('human', 'Ada\nLives in Cork\nBreeds alpacas')]);
    const { rendered } = draft.state;
    const notes = edited(draft, [block('human', 'Ada\nLives in Galway\nBreeds alpacas', 2)]);
    expect(notes).toEqual([
      '[Block "human" was changed by "api" and is at version 2. Lines taken out (-) and put in (+):\n' +
        '- Lives in Cork\n+ Lives in Galway]',
    ]);
    expect(draft.state.rendered).toEqual(rendered);
  });

  it('is told whole when that is shorter, or when more than its text changed', () => {
    const draft = draftOf([block('human', textOf(80))]);
    expect(edited(draft, [block('human', 'Ada', 2)])).toEqual([
      '[Block "human" was changed by "api". It reads now:\n<block name="human" version="2" limit="2000">\nAda\n</block>]',
    ]);
    expect(edited(draft, [{ ...block('human', 'Ada', 3), readOnly: true }])[1]).toContain(
      'limit="2000" read-only>',
    );
  });

  it('is told of blocks that were added, renamed and removed', () => {
    const draft = draftOf(BLOCKS);
    edited(draft, [block('tasks', 'buy hay')]);
    setBlocks(
      draft,
      [...draft.state.blocks.filter(({ name }) => name !== 'human'), block('user', 'Ada', 2)],
      'api',
    );
    tellEdits(draft);
    setBlocks(
      draft,
      draft.state.blocks.filter(({ name }) => name !== 'tasks'),
      'boss',
    );
    tellEdits(draft);
    expect(notesOf(draft)).toEqual([
      expect.stringContaining('[Block "tasks" was added by "api":\n<block name="tasks" version="1"'),
      expect.stringContaining('[Block "user" was renamed from "human" and changed by "api". It reads now:'),
      '[Block "tasks" was removed by "boss".]',
    ]);
  });

  it('is told once with those that come before the next look, and not at all when nothing is different then', () => {
    const draft = draftOf([block('human', 'Ada')]);
    setBlocks(draft, [block('human', 'Ada\nx', 2)], 'api');
    setBlocks(draft, [block('human', 'Ada\nx\ny', 3)], 'boss');
    tellEdits(draft);
    expect(notesOf(draft)).toEqual([
      '[Block "human" was changed by "api", "boss" and is at version 3. Lines taken out (-) and put in (+):\n+ x\n+ y]',
    ]);
    setBlocks(draft, [block('human', 'Eve', 4)], 'api');
    setBlocks(draft, [block('human', 'Ada\nx\ny', 5)], 'api');
    tellEdits(draft);
    expect(notesOf(draft)).toHaveLength(1);
  });

  it('waits while a page is open, for a note is a page of its own', () => {
    const draft = draftOf([block('human', 'Ada')]);
    const parts = [call('read')];
    draft.appendPage('assistant', { id: 'a', role: 'assistant', at: 0, parts }, false);
    expect(edited(draft, [block('human', 'Eve', 2)])).toEqual([]);
    // What the model does now it does to a text that it has not seen: the note tells both.
    setBlocks(draft, [block('human', 'Eve\nByron', 3)], MODEL);
    draft.seal();
    tellEdits(draft);
    expect(notesOf(draft)).toEqual([expect.stringMatching(/version 3\..*\n- Ada\n\+ Eve\n\+ Byron\]$/)]);
  });

  it('by the model itself is not told', () => {
    const draft = draftOf([block('human', 'Ada')]);
    expect(edited(draft, [block('human', 'Ada\nx', 2)], MODEL)).toEqual([]);
    expect(draft.state.rendered?.untold).toEqual([]);
  });

  it('is shown at once under `classic`, without a note', () => {
    const draft = draftOf([block('human', 'Ada')], 'classic');
    expect(edited(draft, [block('human', 'Eve', 2)])).toEqual([]);
    expect(draft.parts.layout.system('', draft.state)).toContain('Eve');
    expect(draft.state.head.counts.system).toBe(
      countPiece({ kind: 'system', text: draft.parts.layout.system(draft.config.instructions, draft.state) }),
    );
  });

  it('forces a rendering when the notes take more than a tenth of the budget, and drops them', () => {
    const draft = draftOf([block('human', '')]);
    let version = 1;
    const most = draft.budget.tokens * 0.1;
    for (let lines = ['x']; ; lines = [...lines, `${textOf(10)} ${lines.length}`]) {
      const notes = edited(draft, [block('human', lines.join('\n'), (version += 1))]);
      const tokens = notes.reduce((sum, note) => sum + Math.ceil(note.length / 4) + 4, 0);
      expect(renderOverfullNotes(draft)).toBe(tokens > most);
      if (tokens <= most) continue;
      break;
    }
    expect(notesOf(draft)).toEqual([]);
    expect(draft.state.rendered?.text).toContain(`version="${version}"`);
    expect(draft.effects).toContainEqual({
      type: 'observe',
      observation: { name: 'blocks-rendered', notes: version - 1 },
    });
    // What was counted ahead is the count of what is sent now.
    expect(uncounted(draft.state, draft.config, draft.parts.layout)).toEqual([]);
  });
});

describe('the count of hidden messages in the tail', () => {
  it('is of messages that left the queue, and of no note that the prefix took in', () => {
    const harness = new Harness({ blocks: BLOCKS });
    harness.send('hello');
    harness.edit('human', 'Ada Byron');
    harness.edit('persona', 'I am brave.');
    harness.send('hello again');
    const hidden = () =>
      /; (\d+) earlier messages/.exec(harness.lastMessages().slice(-1).map(messageContent).join())?.[1];
    untilFlush(harness);
    const resident = harness.state.pages.flatMap(({ messages }) => messages).length;
    // The last answer came after the tail.
    expect(Number(hidden())).toBe(harness.state.summary?.messages);
    expect(harness.store.log.length - resident).toBe(Number(hidden()) + 2);
    harness.reload();
    harness.send('once more');
    expect(Number(hidden())).toBe(harness.state.summary?.messages);
  });
});
