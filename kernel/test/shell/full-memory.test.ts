import { describe, expect, it } from 'vitest';
import { FEW_SYSCALLS, hasResults, lastUser, startProcesses, tell } from '../support/stack.js';
import { textOf } from '../support/words.js';

const startProcess = startProcesses();

/** Stores what it is told in `calls` calls at once, and says what came of them. */
function storing(calls: number, name: string, args: (mark: string) => object) {
  const results: string[] = [];
  return {
    results,
    options: {
      window: 6_000,
      syscalls: FEW_SYSCALLS,
      program: { instructions: 'You remember.', blocks: [{ name: 'human', value: 'x', limit: 100_000 }] },
      replies: (request: Parameters<typeof hasResults>[0]) => {
        if (hasResults(request)) {
          const tools = request.messages.filter(({ role }) => role === 'tool').slice(-calls);
          const parts = tools.flatMap((message) => message.parts);
          results.push(...parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])));
          return tell('Noted.');
        }
        const mark = lastUser(request).replace(/\W/g, '');
        return {
          calls: Array.from({ length: calls }, (_, n) => ({
            name,
            arguments: { ...args(`${mark}-${n}`), request_heartbeat: true },
          })),
        };
      },
    },
  };
}

describe('a model that writes its memory full', () => {
  it.each([1, 3])(
    'with %d calls at once is told in time that there is no more room, and goes on',
    async (calls) => {
      const content = (mark: string) => ({ name: 'human', content: textOf(150, mark) });
      const { results, options } = storing(calls, 'core_memory_append', content);
      const { process } = await startProcess(options);
      for (let n = 0; n < 40; n++) expect((await process.send(`fact ${n}`)).outcome).toBe('answered');
      expect(results.filter((text) => text.startsWith('OK')).length).toBeGreaterThan(5);
      expect(results.at(-1)).toMatch(/would take \d+ tokens more, and may take \d+ more/);
    },
  );

  it('may replace what is there by what is shorter, and not by what is far longer', async () => {
    const long = textOf(700, 'long');
    const swaps = [long, 'short', textOf(5_000, 'endless'), 'longer'];
    let now = 'x';
    const { results, options } = storing(1, 'core_memory_replace', () => {
      const next = swaps.shift() ?? '';
      const args = { name: 'human', old_content: now, new_content: next };
      if (next !== '' && !next.startsWith('endless')) now = next;
      return args;
    });
    const { process } = await startProcess(options);
    for (const n of [1, 2, 3, 4]) expect((await process.send(`fact ${n}`)).outcome).toBe('answered');
    expect(results.map((text) => text.startsWith('OK'))).toEqual([true, true, false, true]);
  });
});
