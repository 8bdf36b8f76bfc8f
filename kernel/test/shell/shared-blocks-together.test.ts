import type { Commit, RecallDriver } from '@pagefault/contracts';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { SharedBlock, WorkingContext } from '../../src/index.js';
import { type Fate, faultyRecall, keptOpen, slowRecall } from '../support/recall.js';
import { noting, PLAN, program, twoProcesses } from '../support/shared.js';
import {
  ask,
  hasResults,
  lastResult,
  lastUser,
  type StackOptions,
  startKernel,
  startProcesses,
} from '../support/stack.js';
import { onEachStore } from '../support/stores.js';

const start = startProcesses();
const two = (options?: StackOptions) => twoProcesses(start, options);

onEachStore('a shared block', (createRecall) => {
  it.each(['fail-before', 'fail-after'] as const)(
    'is edited once by a call, when the kernel dies at any commit: %s (C11)',
    async (fate) => {
      for (let n = 1; n < 20; n++) {
        const base = keptOpen(createRecall());
        const stack = await two({ recall: base });
        await stack.kernel.close();
        const [dead, recall] = dyingAt(n, fate, base);
        const first = await startKernel({ program, replies: noting, recall });
        const ada = await first.kernel.open(stack.ada.pid);
        await ada.send({ id: 'x', text: 'Tuesday: dip' }).catch(() => undefined);

        const second = await startKernel({ program, replies: noting, recall: base });
        const reopened = await second.kernel.open(stack.ada.pid);
        const result = await reopened.send({ id: 'x', text: 'Tuesday: dip' });
        const plan = await second.kernel.sharedBlock(stack.id).get();
        expect(result).toMatchObject({
          outcome: 'answered',
          text: expect.stringMatching(/^OK\. .* 26 of 200/),
        });
        expect(plan).toMatchObject({ value: `${PLAN}\nTuesday: dip`, version: 2 });
        expect((await reopened.map()).blocks).toMatchObject([{ name: 'human' }, { value: plan.value }]);
        await second.kernel.close();
        if (!dead()) return expect(n).toBeGreaterThan(5);
      }
    },
  );

  it('counts an edit as made also when others have edited since (C11)', async () => {
    const base = keptOpen(createRecall());
    const stack = await two({ recall: base });
    await stack.kernel.close();
    // Inbox, message, reply, the owner's: the fifth is the process's own.
    const [, recall] = dyingAt(5, 'fail-before', base);
    const first = await startKernel({ program, replies: noting, recall });
    const ada = await first.kernel.open(stack.ada.pid);
    await expect(ada.send({ id: 'x', text: 'Tuesday: dip' })).rejects.toMatchObject({ code: 'E_STORAGE' });

    const second = await startKernel({ program, replies: noting, recall: base });
    const plan = second.kernel.sharedBlock(stack.id);
    expect((await plan.get()).value).toBe(`${PLAN}\nTuesday: dip`);
    await plan.append('Wednesday: rest');
    const reopened = await second.kernel.open(stack.ada.pid);
    expect((await reopened.send({ id: 'x', text: 'Tuesday: dip' })).text).toMatch(/^OK/);
    expect(await plan.get()).toMatchObject({
      value: `${PLAN}\nTuesday: dip\nWednesday: rest`,
      version: 3,
    });
    await second.kernel.close();
  });

  it('is one for processes of two kernels, each of which edits at once (C31)', async () => {
    const recall = keptOpen(slowRecall(createRecall()));
    const { ada, bob, plan, kernel } = await two({ recall, replies: stubborn });
    const other = await startKernel({ program, replies: stubborn, recall });
    // Another kernel may take a process only when the first has let go of it.
    await kernel.passivate();
    const bobs = await other.kernel.open(bob.pid);
    const sent = ['a', 'b', 'c'].flatMap((line) => [ada.send(`ada ${line}`), bobs.send(`bob ${line}`)]);
    for (const { text } of await Promise.all(sent)) expect(text).toMatch(/^OK/);
    const { value, version } = await plan.get();
    expect(value.split('\n').toSorted()).toEqual(
      [PLAN, 'ada a', 'ada b', 'ada c', 'bob a', 'bob b', 'bob c'].toSorted(),
    );
    expect(version).toBe(7);
    await other.kernel.close();
  });

  it('has the values of one serial order, whoever edits at once, and loses nothing silently (C31)', async () => {
    const base = createRecall();
    const edit = fc.record({
      by: fc.constantFrom('ada', 'bob', 'user'),
      kind: fc.constantFrom('append', 'replace', 'undo', 'send', 'send'),
      fresh: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 12 }), async (edits) => {
        const [recall, owners] = watchOwner(keptOpen(slowRecall(base)));
        const { ada, bob, plan, kernel } = await two({ recall, replies: stubborn });
        await plan.setLimit(100_000);
        const { version } = await plan.get();
        const accepted = new Map<number, string>();
        const told: string[] = [];
        kernel.bus.on('turn-result', ({ result }) => void told.push(result.text));
        const perform = async ({ by, kind, fresh }: (typeof edits)[number], n: number): Promise<void> => {
          const process = by === 'ada' ? ada : bob;
          if (kind === 'send') return void (await process.send(`<${n}>`));
          const editor = editorOf(by === 'user' ? plan : process.blocks, fresh ? { expect: version } : {});
          const [step, done] =
            kind === 'append'
              ? [`<${n}>`, await editor.append(`<${n}>`)]
              : kind === 'replace'
                ? [`Day ${n}`, await editor.replace('day', `Day ${n}`)]
                : ['undo', await editor.undo()];
          accepted.set(done.version, step);
        };
        const results = await Promise.allSettled(edits.map(perform));
        for (const result of results)
          if (result.status === 'rejected') expect(['E_CONFLICT', 'E_BLOCK']).toContain(result.reason.code);

        // Every version is one edit that was accepted, and has the value that the edits before it and it give.
        const versions = owners().filter((block) => block.version > version);
        expect(versions.map((block) => block.version)).toEqual(
          versions.map((_, index) => version + index + 1),
        );
        let [list, at] = [[PLAN], 0];
        const written: string[] = [];
        for (const { version: next, value } of versions) {
          const before = list[at] ?? '';
          const step = accepted.get(next) ?? value.slice(before.length + 1);
          if (!accepted.has(next)) written.push(step);
          if (step === 'undo') at -= 1;
          else {
            const after = step.startsWith('<') ? `${before}\n${step}` : before.replace('day', () => step);
            [list, at] = [[...list.slice(0, at + 1), after], at + 1];
          }
          expect(value).toBe(list[at]);
        }
        // Each message was written down once, and its model was told so.
        const sent = edits.flatMap(({ kind }, n) => (kind === 'send' ? `<${n}>` : []));
        expect(written.toSorted()).toEqual(sent.toSorted());
        expect(told.map((text) => text.slice(0, 2))).toEqual(sent.map(() => 'OK'));
        await kernel.close();
      }),
      { numRuns: 8 },
    );
  });
});

/** Appends the user's words, and tries again with the new text as often as it is refused. */
const stubborn: NonNullable<StackOptions['replies']> = (request, n) =>
  hasResults(request) && lastResult(request).startsWith('Refused')
    ? ask('core_memory_append', { name: 'plan', content: lastUser(request) })
    : noting(request, n);

/** A process's and a user's way to the same block, alike. */
function editorOf(target: SharedBlock | WorkingContext, options: { readonly expect?: number }) {
  const isShared = 'id' in target;
  return {
    append: (content: string) =>
      isShared ? target.append(content, options) : target.append('plan', content, options),
    replace: (from: string, to: string) =>
      isShared ? target.replace(from, to, options) : target.replace('plan', from, to, options),
    undo: () => (isShared ? target.undo(options) : target.undo('plan', options)),
  };
}

interface Owned {
  readonly version: number;
  readonly value: string;
}

/** What the owner's row held, one commit after the other. */
function watchOwner(base: RecallDriver): [recall: RecallDriver, owned: () => readonly Owned[]] {
  const done: Commit[] = [];
  const commit: RecallDriver['commit'] = async (asked, signal) => {
    await base.commit(asked, signal);
    done.push(asked);
  };
  const puts = () => done.flatMap((one) => one.puts ?? []).filter(({ space }) => space === 'shared-block');
  const owned = () => puts().map(({ value }) => (value as unknown as { readonly block: Owned }).block);
  return [{ ...base, commit }, () => owned().toSorted((a, b) => a.version - b.version)];
}

/** A store that is gone from the n-th commit on, and whether it is. */
function dyingAt(n: number, fate: Fate, base: RecallDriver): [dead: () => boolean, recall: RecallDriver] {
  let dead = false;
  const recall = faultyRecall((count) => {
    if (count === n) dead = true;
    return count === n ? fate : dead ? 'fail-before' : 'pass';
  }, base);
  return [() => dead, recall];
}
