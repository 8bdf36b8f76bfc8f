import { describe, expect, it } from 'vitest';
import { startProcesses, ask, FEW_SYSCALLS, hasResults, tell } from '../support/stack.js';
import { findLayout } from '../../src/core/layout/registry.js';

const startProcess = startProcesses();
const layout = findLayout('user-last');
const options = { layout: 'user-last', syscalls: FEW_SYSCALLS } as const;

describe('the layout `user-last`', () => {
  it('ends a request with what is to be answered, and says what the kernel has to say before it', async () => {
    const requests: string[][] = [];
    const { process } = await startProcess({
      ...options,
      replies: (request) => {
        requests.push(request.messages.map(({ id, role }) => (id === 'tail' ? 'tail' : role)));
        return hasResults(request) ? tell('done') : ask('conversation_search', { query: 'wool' });
      },
    });
    await process.send('Look for wool.');
    expect(requests.map((roles) => roles.slice(-4))).toEqual([
      ['system', 'tail', 'user'],
      ['tail', 'user', 'assistant', 'tool'],
    ]);
  });

  it('moves a warning that came after the message, but no call from its result', async () => {
    const lasts: string[] = [];
    const { process } = await startProcess({
      ...options,
      window: 4_096,
      replies: ({ messages }) => {
        const last = messages.at(-1);
        lasts.push(last?.role ?? '');
        return tell('word '.repeat(60));
      },
    });
    const warned: number[] = [];
    for (let turn = 0; turn < 12; turn++) {
      await process.send(`message ${turn} ${'wool '.repeat(60)}`);
      warned.push((await process.map()).counters.warnings);
    }
    expect(Math.max(...warned)).toBeGreaterThan(0);
    expect(new Set(lasts)).toEqual(new Set(['user']));
  });

  it('is `stable` in all else', () => {
    expect(layout).toMatchObject({ rendersAtReclaim: true, endsWithUser: true });
  });
});
