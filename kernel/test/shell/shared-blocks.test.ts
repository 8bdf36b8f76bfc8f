import type { RecallDriver } from '@pagefault/contracts';
import { describe, expect, it } from 'vitest';
import { rerun } from '../../src/index.js';
import { lineSink, recordedIn } from '../support/recording.js';
import { keptOpen, watchedRecall } from '../support/recall.js';
import {
  ask,
  hasResults,
  lastResult,
  shown,
  type StackOptions,
  startKernel,
  startProcesses,
  tell,
} from '../support/stack.js';
import { noting, PLAN, program, twoProcesses } from '../support/shared.js';
import { onEachStore } from '../support/stores.js';

const start = startProcesses();
const two = (options?: StackOptions) => twoProcesses(start, options);

onEachStore('a shared block', (createRecall) => {
  it('is one value for all who have it in view', async () => {
    const { ada, bob, plan, processor } = await two({ recall: createRecall() });
    expect((await ada.send('Tuesday: dip')).text).toMatch(/^OK\. Block "plan" holds 26 of 200 characters/);
    expect((await bob.send('Wednesday: rest')).text).toMatch(/^OK\. /);
    const [, , bobs] = processor.requests;
    expect(bobs && shown(bobs)).toContain('Tuesday: dip');
    const value = `${PLAN}\nTuesday: dip\nWednesday: rest`;
    expect(await plan.get()).toMatchObject({ name: 'plan', value, version: 3 });
    for (const { blocks } of [ada, bob])
      expect(await blocks.get('plan')).toMatchObject({ value, version: 3 });
    expect((await plan.history()).map(({ by }) => by)).toEqual(['Grace', ada.pid, bob.pid]);
  });

  it('lasts longer than the kernel, and is attached again with its process', async () => {
    const recall = keptOpen(createRecall());
    const { ada, plan, id, kernel } = await two({ recall });
    await ada.send('Tuesday: dip');
    await plan.undo();
    await kernel.close();
    const again = await startKernel({ program, replies: noting, recall });
    const reopened = await again.kernel.open(ada.pid);
    expect(await reopened.blocks.get('plan')).toMatchObject({ value: PLAN, version: 3, shared: { id } });
    expect(await again.kernel.listSharedBlocks()).toEqual([
      { id, name: 'plan', value: PLAN, limit: 200, version: 3, by: 'user' },
    ]);
    expect((await reopened.blocks.redo('plan')).value).toBe(`${PLAN}\nTuesday: dip`);
    expect((await again.kernel.list()).map(({ pid }) => pid)).not.toContain(id);
    await again.kernel.close();
  });

  it('refuses an edit from an old read with the new text, and shows it from then on (C31)', async () => {
    const replies: StackOptions['replies'] = (request, n) => {
      // The first request is answered from what it shows, while another writes.
      if (n === 0) return { ...plan('Tuesday: dip'), before: () => shared.append('Tuesday: feed') };
      return n === 1 ? plan('Wednesday: dip') : tell(lastResult(request));
    };
    const plan = (content: string) => ({
      calls: [{ name: 'core_memory_append', arguments: { name: 'plan', content, request_heartbeat: true } }],
    });
    const { ada, processor, plan: shared } = await two({ recall: createRecall(), replies });
    expect((await ada.send('plan it')).text).toMatch(/^OK/);
    const [first, second] = processor.requests;
    expect(first && shown(first)).not.toContain('Tuesday');
    expect(second && lastResult(second)).toMatch(
      /^Refused: block "plan" is at version 2, .* of version 1.*now:\nMonday: shear\nTuesday: feed$/s,
    );
    // It was told by the refusal; a note would say it a second time.
    expect(second && shown(second).match(/Tuesday: feed/g)).toHaveLength(1);
    expect((await shared.get()).value).toBe(`${PLAN}\nTuesday: feed\nWednesday: dip`);
  });

  it('tells the model by a note what others made of it, and by whom, before its next message', async () => {
    const { ada, bob, processor } = await two({ recall: createRecall() });
    await ada.send('Tuesday: dip');
    await bob.send('Wednesday: rest');
    await ada.send('Thursday: feed');
    const [first, , , , last] = processor.requests.map(shown);
    const note = `[Block "plan" was changed by "${bob.pid}" and is at version 3. Lines taken out (-) and put in (+):\n+ Wednesday: rest]`;
    expect(last?.startsWith(first ?? '-')).toBe(true);
    expect(last?.slice(first?.length)).toContain(`${note}\nThursday: feed`);
  });

  it('refuses all calls of a reply that was written from an old read (C31)', async () => {
    const append = (content: string) => ({
      name: 'core_memory_append',
      arguments: { name: 'plan', content },
    });
    const replies: StackOptions['replies'] = (_, n) =>
      n === 0
        ? { calls: [append('a'), append('b')], before: () => plan.append('first') }
        : n === 1
          ? { calls: [append('c'), append('d')] }
          : tell('done');
    const { ada, plan } = await two({ recall: createRecall(), replies });
    await ada.send('plan it');
    expect((await plan.get()).value).toBe(`${PLAN}\nfirst\nc\nd`);
  });

  it('stays when a process that had it is killed and erased', async () => {
    const recall = createRecall();
    const { ada, bob, id, kernel } = await two({ recall });
    await ada.send('Tuesday: dip');
    await ada.kill();
    await recall.erase({ pid: ada.pid, whole: true });
    expect((await kernel.sharedBlock(id).get()).value).toBe(`${PLAN}\nTuesday: dip`);
    expect((await bob.send('Wednesday: rest')).text).toMatch(/^OK/);
  });

  it('leaves the view of all when it is erased', async () => {
    const recall = createRecall();
    const { ada, bob, plan, id, kernel, processor } = await two({ recall });
    await ada.send('Tuesday: dip');
    await plan.erase();
    expect(await recall.load(id, ['shared-block', 'block-history', 'shared-edits'])).toEqual([]);
    expect((await bob.blocks.list()).map(({ name }) => name)).toEqual(['human']);
    expect((await bob.send('Friday: rest')).text).toBe('There is no block "plan". Blocks: human.');
    expect(processor.requests.slice(-2).map(shown).join()).not.toContain(PLAN);
    expect(await kernel.listSharedBlocks()).toEqual([]);
    await expect(plan.append('x')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
  });

  it('that is erased during a turn is told to the model, and is out of view from then on', async () => {
    const replies: StackOptions['replies'] = (request, n) =>
      n === 0 ? { ...(noting(request, n) as object), before: () => plan.erase() } : tell(lastResult(request));
    const { ada, plan, processor } = await two({ recall: createRecall(), replies });
    expect((await ada.send('Tuesday: dip')).text).toBe('The shared block "plan" is no more.');
    expect(processor.requests.map((request) => shown(request).includes(PLAN))).toEqual([true, false]);
  });
});

describe('the list of shared blocks', () => {
  it('has each of them once, however many they are (94)', async () => {
    const { kernel } = await start();
    const ids: string[] = [];
    for (let n = 0; n < 2_001; n++) ids.push(await kernel.createSharedBlock({ name: `plan${n}` }));
    const listed = await kernel.listSharedBlocks();
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
  });
});

describe('a process with a shared block', () => {
  it('may call it by a name of its own, and else follows the block’s name (87)', async () => {
    const { ada, bob, plan } = await two({ replies: () => tell('ok') });
    await bob.blocks.rename('plan', 'our_plan');
    await plan.rename('week');
    expect((await ada.blocks.get('week')).value).toBe(PLAN);
    expect((await bob.blocks.get('our_plan')).value).toBe(PLAN);
    await ada.send('hello');
    await bob.send('hello');
    expect((await ada.map()).blocks.map(({ name }) => name)).toEqual(['human', 'week']);
    expect((await bob.map()).blocks.map(({ name }) => name)).toEqual(['human', 'our_plan']);
    await plan.rename('human');
    await ada.send('hello');
    expect((await ada.map()).blocks.map(({ name }) => name)).toEqual(['human', 'week']);
  });

  it('has it once, under a name that is free (86, 122)', async () => {
    const { ada, id, kernel } = await two();
    await expect(ada.blocks.attach(id, { name: 'other' })).rejects.toMatchObject({
      code: 'E_BLOCK',
      message: 'the shared block is attached already, as "plan"',
    });
    const other = await kernel.createSharedBlock({ name: 'human' });
    await expect(ada.blocks.attach(other)).rejects.toMatchObject({ code: 'E_INVALID' });
    expect(await ada.blocks.attach(other, { name: 'others' })).toMatchObject({ name: 'others', value: '' });
    await expect(ada.blocks.attach('nothing')).rejects.toMatchObject({ code: 'E_NOT_FOUND' });
    await expect(kernel.createSharedBlock({ name: 'a b' })).rejects.toMatchObject({ code: 'E_INVALID' });
  });

  it('lets go of it without changing it', async () => {
    const { ada, plan } = await two();
    await expect(ada.blocks.remove('plan')).rejects.toMatchObject({
      code: 'E_BLOCK',
      message: expect.stringContaining('detach'),
    });
    await expect(ada.blocks.detach('human')).rejects.toMatchObject({ code: 'E_BLOCK' });
    expect(await ada.blocks.detach('plan')).toMatchObject({ value: PLAN });
    expect((await ada.blocks.list()).map(({ name }) => name)).toEqual(['human']);
    expect((await plan.get()).version).toBe(1);
  });

  it('may be one whose model only reads it, while another’s writes', async () => {
    const { ada, bob, plan } = await two();
    await ada.blocks.setReadOnly('plan', true);
    expect((await ada.send('Tuesday: dip')).text).toBe('The block "plan" is read-only.');
    expect((await bob.send('Tuesday: rest')).text).toMatch(/^OK/);
    expect((await ada.blocks.append('plan', 'Friday: fair')).value).toBe(
      `${PLAN}\nTuesday: rest\nFriday: fair`,
    );
    expect((await plan.get()).readOnly).toBe(false);
  });

  it('edits it by the same rules as its own: limits, history, versions (A61, A62, C31)', async () => {
    const { ada, bob, plan } = await two();
    const long = 'x'.repeat(200);
    expect((await ada.send(long)).text).toMatch(/would hold 214 characters, its limit is 200.*Monday/s);
    for (const refused of [
      () => ada.blocks.append('plan', long),
      () => plan.append(long),
      () => plan.set(`${long}x`),
      () => bob.blocks.replace('plan', 'Monday', long),
    ])
      await expect(refused()).rejects.toMatchObject({ code: 'E_BLOCK' });
    const { version } = await ada.blocks.setLimit('plan', 5);
    expect((await bob.blocks.replace('plan', 'Monday: ', '')).value).toBe('shear');
    await expect(ada.blocks.set('plan', 'x', { expect: version })).rejects.toMatchObject({
      code: 'E_CONFLICT',
      message: expect.stringContaining('now:\nshear'),
    });
    await expect(plan.undo()).rejects.toMatchObject({ code: 'E_BLOCK' });
    await plan.setLimit(200);
    expect((await bob.blocks.undo('plan')).value).toBe(PLAN);
    expect((await ada.blocks.history('plan')).map(({ value, shown }) => ({ value, shown }))).toEqual([
      { value: PLAN, shown: true },
      { value: 'shear', shown: false },
    ]);
    expect((await ada.blocks.redo('plan')).value).toBe('shear');
  });

  it('costs one read a turn for each that it has, and none for others', async () => {
    let reads = 0;
    const base = watchedRecall();
    const recall: RecallDriver = {
      ...base,
      get: async (pid, keys, signal) => {
        if (keys.some(({ space }) => space === 'shared-block')) reads += 1;
        return base.get(pid, keys, signal);
      },
    };
    const { ada, kernel } = await two({ recall, replies: () => tell('ok') });
    const other = await kernel.spawn();
    reads = 0;
    await other.send('hello');
    await other.blocks.list();
    expect(reads).toBe(0);
    await ada.send('hello');
    expect(reads).toBe(1);
    await ada.append([{ text: 'a transcript' }, { text: 'of two' }]);
    expect(reads).toBe(1);
  });

  it('answers nothing when its store does not give it, and answers after (C03)', async () => {
    let isDown = false;
    const base = watchedRecall();
    const recall: RecallDriver = {
      ...base,
      get: async (pid, keys, signal) => {
        if (isDown && keys.some(({ space }) => space === 'shared-block')) throw new Error('ECONNRESET');
        return base.get(pid, keys, signal);
      },
    };
    const { ada, plan } = await two({ recall });
    isDown = true;
    await expect(ada.send({ id: 'x', text: 'Tuesday: dip' })).rejects.toMatchObject({ code: 'E_STORAGE' });
    isDown = false;
    await ada.resume();
    expect((await ada.send({ id: 'x', text: 'Tuesday: dip' })).text).toMatch(/^OK/);
    expect(await plan.get()).toMatchObject({ value: `${PLAN}\nTuesday: dip`, version: 2 });
  });

  it('writes nothing to any of them on an overlay', async () => {
    const results: string[] = [];
    const edits = ['plan', 'other'].map((name) => ask('core_memory_append', { name, content: 'x' }));
    const replies: StackOptions['replies'] = (request, n) => {
      if (hasResults(request)) results.push(lastResult(request));
      return edits[n] ?? tell('done');
    };
    const { ada, plan, kernel } = await two({ replies });
    const other = await kernel.createSharedBlock({ name: 'other', value: 'apart' });
    await ada.blocks.attach(other);
    await ada.ask('note x in both');
    expect(results).toEqual([
      expect.stringMatching(/^OK\. Block "plan" holds 15 of 200 characters/),
      expect.stringMatching(/^OK\. Block "other" holds 7 of 2,000 characters/),
    ]);
    expect(await plan.get()).toMatchObject({ value: PLAN, version: 1 });
    expect(await ada.blocks.get('other')).toMatchObject({ value: 'apart', version: 1 });
  });

  it('keeps its prefix byte-equal while nobody edits (93, 95)', async () => {
    const { ada, processor } = await two({ replies: () => tell('ok') });
    for (let n = 0; n < 3; n++) await ada.send('hello');
    const [first, second, third] = processor.requests.map(shown);
    expect(third?.startsWith(second ?? '-') && second?.startsWith(first ?? '-')).toBe(true);
  });

  it('has a recording that runs again to the same requests (invariant 6)', async () => {
    const recording = lineSink();
    const record = recordedIn(recording);
    const stack = await start({ program, replies: noting });
    const recall = keptOpen(stack.recall);
    const id = await stack.kernel.createSharedBlock({ name: 'plan', value: PLAN });
    const { kernel } = await startKernel({ program, replies: noting, recall, record });
    const ada = await kernel.spawn();
    await ada.blocks.attach(id);
    await ada.send('Tuesday: dip');
    await stack.kernel.sharedBlock(id).append('Wednesday: rest');
    await ada.send('Thursday: feed');
    await kernel.close();
    const report = await rerun(recording.lines);
    expect(report.requests).toBe(4);
    expect(report).toMatchObject({ equal: report.requests, torn: false });
  });
});
