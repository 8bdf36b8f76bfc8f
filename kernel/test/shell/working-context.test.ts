import type { RecallDriver } from '@pagefault/contracts';
import { createMemoryRecall } from '@pagefault/driver-memory';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Process } from '../../src/index.js';
import {
  type Fate,
  faultyRecall,
  keptOpen,
  slowRecall,
  turnOfTheLoop,
  watchedRecall,
} from '../support/recall.js';
import {
  ask,
  gate,
  hasResults,
  lastResult,
  shown,
  type StackOptions,
  startKernel,
  startProcesses,
  tell,
} from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const start = startProcesses();
const program: NonNullable<StackOptions['program']> = {
  instructions: 'You remember.',
  blocks: [
    { name: 'human', value: 'Name: Ada' },
    { name: 'persona', value: 'Kind.', readOnly: true },
  ],
};

/** Calls a function once, then tells what came of it. */
const caller =
  (name: string, args: object): NonNullable<StackOptions['replies']> =>
  (request) =>
    hasResults(request) ? tell(lastResult(request)) : ask(name, args);

onEachStore('the working context', (createRecall) => {
  it('keeps what users edit, with its history, over a restart (90)', async () => {
    const recall = keptOpen(createRecall());
    const first = await start({ recall, program });
    await first.process.blocks.append('human', 'Lives in Cork', { by: 'Grace' });
    await first.process.blocks.replace('human', 'Ada', 'Ada Byron');
    await first.process.blocks.undo('human');
    await first.process.blocks.setLimit('human', 300);
    const before = await first.process.blocks.list();
    const history = await first.process.blocks.history('human');
    await first.kernel.close();

    const second = await startKernel({ recall, program });
    const { blocks } = await second.kernel.open(first.process.pid);
    expect(await blocks.list()).toEqual(before);
    expect(await blocks.history('human')).toEqual(history);
    expect(history).toEqual([
      { version: 1, value: 'Name: Ada', by: 'program', shown: false },
      { version: 2, value: 'Name: Ada\nLives in Cork', by: 'Grace', at: expect.any(Number), shown: true },
      {
        version: 3,
        value: 'Name: Ada Byron\nLives in Cork',
        by: 'user',
        at: expect.any(Number),
        shown: false,
      },
    ]);
    expect((await blocks.redo('human')).value).toBe('Name: Ada Byron\nLives in Cork');
    expect((await blocks.undo('human', { to: 1 })).value).toBe('Name: Ada');
    expect(await blocks.get('human')).toMatchObject({ limit: 300, version: 7 });
    await second.kernel.close();
  });

  it('keeps as many values as its limit says, and no row more', async () => {
    const recall = createRecall();
    const { process } = await start({ recall, program, limits: { blockVersions: 3 } });
    for (let n = 0; n < 9; n++) await process.blocks.set('human', `value ${n}`);
    expect((await process.blocks.history('human')).map(({ value }) => value)).toEqual([
      'value 6',
      'value 7',
      'value 8',
    ]);
    expect(await recall.load(process.pid, ['block-history'])).toHaveLength(3);
    await process.blocks.remove('human');
    expect(await recall.load(process.pid, ['block-history', 'blocks'])).toHaveLength(1);
  });

  it('shows the model what users edited, and users what the model edited', async () => {
    const replies = caller('core_memory_append', { name: 'human', content: 'Breeds alpacas' });
    const { process, processor } = await start({ recall: createRecall(), program, replies });
    await process.blocks.set('human', 'Name: Eve');
    await process.send('I breed alpacas');
    expect(processor.requests.map(shown)[0]).toContain('Name: Eve');
    expect((await process.blocks.history('human')).map(({ value, by }) => ({ value, by }))).toEqual([
      { value: 'Name: Ada', by: 'program' },
      { value: 'Name: Eve', by: 'user' },
      { value: 'Name: Eve\nBreeds alpacas', by: 'model' },
    ]);
  });

  it('refuses the second of two edits from one read, with the new text (C31, 91)', async () => {
    const { process } = await start({ recall: createRecall(), program });
    const { version } = await process.blocks.get('human');
    const [first, second] = await Promise.allSettled([
      process.blocks.replace('human', 'Ada', 'Eve', { expect: version }),
      process.blocks.replace('human', 'Ada', 'Bob', { expect: version }),
    ]);
    expect(first).toMatchObject({ status: 'fulfilled', value: { value: 'Name: Eve', version: 2 } });
    expect(second).toMatchObject({
      status: 'rejected',
      reason: { code: 'E_CONFLICT', message: expect.stringContaining('Its text now:\nName: Eve') },
    });
    await expect(process.blocks.undo('human', { expect: version })).rejects.toMatchObject({
      code: 'E_CONFLICT',
    });
    expect((await process.blocks.get('human')).value).toBe('Name: Eve');
  });

  it('gives the values of one serial order, whoever edits at once, and loses nothing silently (C31)', async () => {
    const edit = fc.record({
      by: fc.constantFrom('a', 'b', 'model'),
      kind: fc.constantFrom('append', 'replace', 'undo', 'redo'),
      fresh: fc.boolean(),
    });
    const note = { name: 'human', content: '<model>' };
    const replies: StackOptions['replies'] = (request) =>
      hasResults(request) ? tell('ok') : ask('core_memory_append', note);
    const recall = keptOpen(createRecall());
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 10 }), async (edits) => {
        const { kernel, process } = await start({ recall, program, replies });
        const { blocks } = process;
        const { version } = await blocks.get('human');
        const accepted = new Map<number, { step: string; value: string }>();
        const perform = async ({ by, kind, fresh }: (typeof edits)[number], n: number): Promise<void> => {
          if (by === 'model') return void (await process.send(`message ${n}`));
          const options = { by, ...(fresh && { expect: version }) };
          const done =
            kind === 'append'
              ? await blocks.append('human', `<${by} ${n}>`, options)
              : kind === 'replace'
                ? await blocks.replace('human', 'Name', `Name ${n}`, options)
                : await blocks[kind as 'undo' | 'redo']('human', options);
          const step = kind === 'append' ? `<${by} ${n}>` : kind === 'replace' ? `Name ${n}` : kind;
          accepted.set(done.version, { step, value: done.value });
        };
        const results = await Promise.allSettled(edits.map(perform));
        for (const result of results)
          if (result.status === 'rejected') expect(['E_CONFLICT', 'E_BLOCK']).toContain(result.reason.code);

        // Every version is one accepted edit, and has the value that the edits before it and it give.
        const last = await blocks.get('human');
        let [list, at] = [['Name: Ada'], 0];
        for (let next = version + 1; next <= last.version; next++) {
          const { step, value } = accepted.get(next) ?? { step: '<model>', value: undefined };
          const before = list[at] ?? '';
          if (step === 'undo' || step === 'redo') at += step === 'undo' ? -1 : 1;
          else {
            const after = step.startsWith('<') ? `${before}\n${step}` : before.replace('Name', () => step);
            [list, at] = [[...list.slice(0, at + 1), after], at + 1];
          }
          expect(list[at]).toBe(value ?? list[at]);
        }
        expect(last.value).toBe(list[at]);
        const models = edits.filter(({ by }) => by === 'model').length;
        expect(last.version - version).toBe(accepted.size + models);
        await kernel.close();
      }),
      { numRuns: 10 },
    );
  });
});

describe('an edit by a user', () => {
  /** A turn whose stream stands still until the gate is opened. */
  async function streaming() {
    const [begun, held] = [gate(), gate()];
    const pace = async () => {
      begun.open();
      await held.opened;
    };
    const stack = await start({ program, script: { pace } });
    const answer = stack.process.send('hello');
    await begun.opened;
    return { ...stack, answer, go: () => held.open() };
  }

  it('during a streaming turn waits for it: the edit, the rename and the reply are all kept (C07)', async () => {
    const { process, answer, go, texts } = await streaming();
    const edits = [
      process.blocks.append('human', 'Lives in Cork'),
      process.blocks.rename('human', 'user'),
      process.blocks.add({ name: 'links', value: 'https://example.org' }),
    ];
    let settled = 0;
    for (const edit of edits) void edit.then(() => (settled += 1));
    await turnOfTheLoop();
    expect(settled).toBe(0);
    go();
    expect(await answer).toMatchObject({ outcome: 'answered', text: 'answer to: hello' });
    await Promise.all(edits);
    expect((await process.blocks.list()).map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'links: https://example.org',
      'persona: Kind.',
      'user: Name: Ada\nLives in Cork',
    ]);
    expect(await texts()).toHaveLength(3);
  });

  it('does not hold up reading', async () => {
    const { process, answer, go } = await streaming();
    expect(await process.blocks.get('human')).toMatchObject({ value: 'Name: Ada' });
    expect(await process.blocks.history('human')).toHaveLength(1);
    go();
    await answer;
  });

  it('is checked on every path by the same rule (A61, 89)', async () => {
    const replies = caller('core_memory_append', { name: 'human', content: 'x'.repeat(6_000) });
    const { process, kernel } = await start({ program, replies });
    const long = 'x'.repeat(6_000);
    const { blocks } = process;
    await blocks.setLimit('human', 5_000);
    const before = await blocks.get('human');
    for (const refused of [
      () => blocks.append('human', long),
      () => blocks.set('human', long),
      () => blocks.replace('human', 'Ada', long),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: 'E_BLOCK',
        message: expect.stringMatching(/would hold 6,0\d\d characters, its limit is 5,000.*Name: Ada/s),
      });
    }
    expect((await process.send('remember')).text).toMatch(/would hold 6,010 characters, its limit is 5,000/);
    await expect(blocks.add({ name: 'more', value: long, limit: 5_000 })).rejects.toMatchObject({
      code: 'E_INVALID',
    });
    await expect(
      kernel.spawn({ blocks: [{ name: 'more', value: long, limit: 5_000 }] }),
    ).rejects.toMatchObject({ code: 'E_INVALID' });
    expect(await blocks.get('human')).toEqual(before);
  });

  it('may change what the model may only read', async () => {
    const replies = caller('core_memory_replace', {
      name: 'persona',
      old_content: 'Kind.',
      new_content: 'Unkind.',
    });
    const { process } = await start({ program, replies });
    expect((await process.send('be unkind')).text).toBe('The block "persona" is read-only.');
    expect((await process.blocks.replace('persona', 'Kind', 'Very kind')).value).toBe('Very kind.');
    await process.blocks.setReadOnly('persona', false);
    expect((await process.send('be unkind')).text).toMatch(/is not in block "persona".*now:\nVery kind\./s);
  });

  it('lets a block that is over its lowered limit shrink, and not grow (A62)', async () => {
    const { process } = await start({ program });
    await process.blocks.set('human', 'x'.repeat(1_900));
    await process.blocks.setLimit('human', 1_800);
    await expect(process.blocks.append('human', 'y')).rejects.toMatchObject({
      code: 'E_BLOCK',
      hint: expect.stringContaining('setLimit'),
    });
    expect((await process.blocks.replace('human', 'xx', '')).value).toHaveLength(1_898);
  });

  it('that changes nothing makes no version, and no other prompt (93)', async () => {
    const recall = watchedRecall();
    const { process, processor } = await start({ program, recall });
    await process.send('hello');
    const commits = recall.commits.length;
    await process.blocks.set('human', 'Name: Ada');
    await process.blocks.rename('human', 'human');
    expect(recall.commits).toHaveLength(commits);
    expect(await process.blocks.get('human')).toMatchObject({ version: 1 });
    await process.send('hello');
    const [before, after] = processor.requests.map(shown);
    expect(after?.startsWith(before ?? '-')).toBe(true);
  });

  it('that is refused is an error, and the process goes on', async () => {
    const { process } = await start({ program });
    await expect(process.blocks.append('nobody', 'x')).rejects.toMatchObject({
      code: 'E_NOT_FOUND',
      message: 'there is no block "nobody"',
      hint: 'there are: human, persona',
    });
    await expect(process.blocks.get('nobody')).rejects.toMatchObject({ code: 'E_NOT_FOUND', hint: /human/ });
    await expect(process.blocks.undo('human')).rejects.toMatchObject({ code: 'E_BLOCK' });
    await process.blocks.set('human', 'x');
    await expect(process.blocks.undo('human', { to: 7 })).rejects.toMatchObject({
      code: 'E_BLOCK',
      hint: 'there are: 1',
    });
    await expect(process.blocks.set('human', 'x', { by: 'model' })).rejects.toMatchObject({
      code: 'E_INVALID',
    });
    await expect(process.blocks.add({ name: 'human' })).rejects.toMatchObject({ code: 'E_INVALID' });
    expect((await process.send('hello')).outcome).toBe('answered');
  });

  it('is told on the bus when it is stored, as the model’s edits are', async () => {
    const replies = caller('core_memory_append', { name: 'human', content: 'x' });
    const { process, kernel } = await start({ program, replies });
    const told: string[] = [];
    kernel.bus.on('block-changed', ({ pid, name }) => void told.push(pid === process.pid ? name : '?'));
    await kernel.spawn();
    await process.send('remember x');
    await process.blocks.rename('human', 'user');
    await process.blocks.set('user', 'Name: Ada\nx');
    expect(told).toEqual(['human', 'user', 'human']);
  });

  it('is refused after the kernel was closed', async () => {
    const { process, kernel } = await start({ program });
    await kernel.close();
    await expect(process.blocks.set('human', 'x')).rejects.toMatchObject({ code: 'E_NOT_OPEN' });
  });
});

describe('an edit whose commit fails', () => {
  async function failing(fate: Fate): Promise<{ process: Process; recall: RecallDriver; fail(): void }> {
    let next: Fate = 'pass';
    const recall = faultyRecall(() => {
      const now = next;
      next = 'pass';
      return now;
    }, slowRecall(createMemoryRecall()));
    const { process } = await start({ program, recall });
    return { process, recall, fail: () => (next = fate) };
  }

  it('before it is written has not happened', async () => {
    const { process, fail } = await failing('fail-before');
    fail();
    await expect(process.blocks.append('human', 'x')).rejects.toMatchObject({ code: 'E_STORAGE' });
    expect((await process.blocks.get('human')).value).toBe('Name: Ada');
    expect((await process.blocks.append('human', 'x')).value).toBe('Name: Ada\nx');
  });

  it('after it is written has, and a second try from the old read finds the new text (C11)', async () => {
    const { process, fail } = await failing('fail-after');
    fail();
    const again = () => process.blocks.append('human', 'x', { expect: 1 });
    await expect(again()).rejects.toMatchObject({ code: 'E_STORAGE' });
    await expect(again()).rejects.toMatchObject({
      code: 'E_CONFLICT',
      message: expect.stringContaining('Its text now:\nName: Ada\nx'),
    });
    expect((await process.blocks.history('human')).map(({ value }) => value)).toEqual([
      'Name: Ada',
      'Name: Ada\nx',
    ]);
  });
});

describe('an edit beside a transcript that is taken in', () => {
  it('is stored when it resolves, with the messages before it', async () => {
    const recall = watchedRecall(keptOpen(slowRecall()));
    const { process } = await start({ program, recall });
    const appending = process.append(Array.from({ length: 40 }, (_, n) => ({ text: `message ${n}` })));
    await process.blocks.set('human', 'Name: Eve');
    const stored = await recall.load(process.pid, ['blocks']);
    expect(stored.map(({ value }) => value)).toContainEqual(expect.objectContaining({ value: 'Name: Eve' }));
    await appending;
  });
});
