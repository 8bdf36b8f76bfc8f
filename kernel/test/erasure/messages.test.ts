import { expect, it } from 'vitest';
import type { ReplyFunction } from '@pagefault/driver-processor-scripted';
import { marker, obedient } from '../support/erasing.js';
import { ask, hasResults, lastUser, startProcesses, tell } from '../support/stack.js';
import { onEachStore } from '../support/stores.js';
import { tracedRecall } from '../support/traces.js';

const startProcess = startProcesses();

/** Searches when it is asked to, and repeats nothing. */
const discreet: ReplyFunction = (request) => {
  if (hasResults(request)) return tell('I had a look.');
  const question = lastUser(request);
  return question.startsWith('find ')
    ? ask('conversation_search', { query: question.slice(5) })
    : tell('Noted.');
};

onEachStore('an erased message', (createRecall) => {
  it('is nowhere any more, with what memory had put back of it; others are found and the process goes on (B36)', async () => {
    const recall = tracedRecall(createRecall());
    const { process } = await startProcess({ recall, replies: discreet });
    await process.send({ id: 'secret', text: 'My door code is XK4711.' });
    await process.send('The alpaca is called Bruno.');
    await process.send('find door code');
    expect(await recall.tracesOf('XK4711')).not.toEqual([]);
    const report = await process.erase({ messages: ['secret'] });
    expect(report).toMatchObject({ done: true, open: [], erased: { messages: 1, copies: 1, pages: 2 } });
    expect(await recall.tracesOf('XK4711')).toEqual([]);
    expect((await process.search({ collection: 'messages', query: 'Bruno' })).total).toBeGreaterThan(0);
    expect((await process.search({ collection: 'messages', query: 'XK4711' })).total).toBe(0);
    expect((await process.send('hello')).outcome).toBe('answered');
  });

  it('takes the passage with it that it had stored, also when the answer to that call was erased before', async () => {
    const recall = tracedRecall(createRecall());
    const { process, log } = await startProcess({ recall, replies: obedient });
    await process.send('store 7');
    const idOf = async (type: string) =>
      (await log()).find(({ message }) => message.parts.some((part) => part.type === type))?.message.id ?? '';
    await process.erase({ messages: [await idOf('result')] });
    expect(await recall.tracesOf(marker(7))).not.toEqual([]);
    const report = await process.erase({ messages: [await idOf('call')] });
    expect(report.erased).toMatchObject({ messages: 1, passages: 1 });
    expect(await recall.tracesOf(marker(7))).toEqual([]);
  });
});
