import { describe, expect, it } from 'vitest';
import { marker, obedient, sentence } from '../support/erasing.js';
import { startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();

const NOTHING = {
  blocks: [],
  messages: [],
  passages: [],
  timers: [],
  waiting: [],
  documents: [],
  complete: true,
};

async function withSecret() {
  const stack = await startProcess({ replies: obedient });
  await stack.process.send({ id: 'secret', text: sentence(1) });
  return stack;
}

describe('the report of an erasure names what stays and quotes', () => {
  it('nothing, when nothing does', async () => {
    const { process } = await withSecret();
    await process.archive([{ text: sentence(2) }]);
    expect((await process.erase({ messages: ['secret'] })).quotedBy).toEqual(NOTHING);
  });

  it('blocks, whose value is their user’s to edit; earlier values go', async () => {
    const { process } = await withSecret();
    await process.blocks.set('human', `They say: ${sentence(1)}`);
    await process.blocks.set('persona', `They say: ${sentence(1)}`);
    await process.blocks.set('persona', 'Says nothing.');
    const report = await process.erase({ messages: ['secret'] });
    expect(report.quotedBy).toEqual({ ...NOTHING, blocks: ['human'] });
    expect(report.erased.blockValues).toBe(1);
    expect((await process.blocks.history('persona')).map(({ value }) => value).join()).not.toContain(
      marker(1),
    );
  });

  it('messages of others, passages, timers and mapped documents', async () => {
    const { process } = await withSecret();
    await process.send({ id: 'again', text: `I repeat: ${sentence(1)}` });
    const [passage] = await process.archive([{ text: `Note. ${sentence(1)}` }]);
    const { id: timer } = await process.timers.set({ text: `Ask whether ${sentence(1)}`, in: 86_400_000 });
    // Where two rows of the text meet.
    await process.mapDocument({ name: 'diary', text: `${'rain '.repeat(3_275)}${sentence(1)}` });
    await process.mapDocument({ name: 'novel', text: sentence(2) });
    expect((await process.erase({ messages: ['secret'] })).quotedBy).toEqual({
      ...NOTHING,
      messages: ['again'],
      passages: [passage],
      timers: [timer],
      documents: ['diary'],
    });
  });

  it('interrupts that wait', async () => {
    const { process } = await withSecret();
    await process.mask('device');
    const { id } = await process.post({ kind: 'device', text: `Heard: ${sentence(1)}` });
    expect((await process.erase({ messages: ['secret'] })).quotedBy).toEqual({ ...NOTHING, waiting: [id] });
  });

  it('what a model only thought', async () => {
    const thinking = { type: 'thinking', text: `They told me: ${sentence(1)}` } as const;
    const { process, log } = await startProcess({
      replies: () => ({ ...(tell('Noted.') as object), thinking: thinking.text }),
    });
    await process.send({ id: 'secret', text: sentence(1) });
    const { quotedBy } = await process.erase({ messages: ['secret'] });
    const thought = (await log()).find(({ message }) => message.role === 'assistant');
    expect(quotedBy.messages).toEqual([thought?.message.id]);
  });
});
