import { describe, expect, it } from 'vitest';
import { tailMessage } from '../../src/core/layout/layout.js';
import { virtualClock } from '../../src/virtual-clock.js';
import { countPiece } from '../support/count.js';
import { Harness } from '../support/harness.js';
import { ask, hasResults, lastResult, startKernel, startProcesses, tell } from '../support/stack.js';

const startProcess = startProcesses();
/** 23:30 on 10 March in Bogotá, which is five hours behind UTC. */
const LATE = Date.parse('2026-03-11T04:30:00Z');

describe("the user's time zone", () => {
  it('is in the time that ends each request, with the offset', () => {
    const harness = new Harness({ zone: 'America/Bogota' });
    harness.now = LATE - 1_000;
    harness.send('hello');
    expect(tailOf(harness)).toContain('time 2026-03-10T23:30-05:00]');
  });

  it('is UTC for a process that has none, as before there were zones', () => {
    const harness = new Harness();
    harness.now = LATE - 1_000;
    harness.send('hello');
    expect(tailOf(harness)).toContain('time 2026-03-11T04:30Z]');
  });

  it('makes no tail longer than what is counted for it', () => {
    const harness = new Harness({ zone: 'Asia/Kathmandu' });
    harness.send('hello');
    const tail = countPiece({ kind: 'message', message: tailMessage(tailOf(harness)) });
    expect(tail).toBeLessThanOrEqual(harness.state.head.counts.tail ?? 0);
  });

  it('decides what a day is when the model looks for one (D13)', async () => {
    const clock = virtualClock(LATE);
    const { process } = await startProcess({
      clock,
      zone: 'America/Bogota',
      replies: (request) =>
        hasResults(request)
          ? tell(lastResult(request))
          : ask('conversation_search_date', { start_date: '2026-03-10', end_date: '2026-03-10' }),
    });
    await process.append([{ id: 'late', text: 'The vet comes on Friday.', at: LATE }]);
    await clock.advance(12 * 3_600_000);
    const { text } = await process.send('What did I say yesterday?');
    expect(JSON.parse(text)).toMatchObject({
      total: 1,
      results: [{ at: '2026-03-10T23:30-05:00', text: 'The vet comes on Friday.' }],
    });
  });

  it('decides under which day a message is found by words (D13)', async () => {
    const { process } = await startProcess({ zone: 'America/Bogota' });
    await process.append([{ text: 'The vet comes on Friday.', at: LATE }]);
    const found = async (query: string) => (await process.search({ collection: 'messages', query })).total;
    expect(await found('10 March 2026')).toBe(1);
    expect(await found('11')).toBe(0);
  });

  it('is kept with the process and passed on to its forks', async () => {
    const { kernel, process } = await startProcess({ zone: 'America/Bogota' });
    await kernel.spawn({ zone: 'asia/tokyo' });
    await process.fork();
    const zones = (await kernel.list()).map(({ zone }) => zone);
    expect(zones).toEqual(['America/Bogota', 'Asia/Tokyo', 'America/Bogota']);
  });

  it('that is none is refused when the process is made, or the kernel booted', async () => {
    const { kernel } = await startProcess();
    await expect(kernel.spawn({ zone: 'Mars/Olympus' })).rejects.toThrow('"Mars/Olympus" is no time zone');
    await expect(startKernel({ zone: '+01:00' })).rejects.toMatchObject({ code: 'E_INVALID' });
  });

  it('is the zone of a timer that names none', async () => {
    const clock = virtualClock(LATE);
    const { process } = await startProcess({
      clock,
      zone: 'America/Bogota',
      replies: (request) =>
        hasResults(request)
          ? tell(lastResult(request))
          : ask('set_timer', { text: 'Call the vet.', at: '2026-03-11T09:00' }),
    });
    const { text } = await process.send('Remind me at nine.');
    expect(JSON.parse(text)).toMatchObject({ due: '2026-03-11T09:00-05:00' });
  });
});

function tailOf(harness: Harness): string {
  const part = harness.lastMessages().at(-1)?.parts[0];
  return part?.type === 'text' ? part.text : '';
}
