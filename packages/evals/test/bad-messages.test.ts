import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry } from '@pagefault/contracts';
import type { Process } from '@pagefault/kernel';
import type { RunningMachine } from '@pagefault/wiring';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './support/folder.js';
import { startEmbedded } from './support/machine.js';
import { textOf, wholeLog, withStore } from './support/store.js';

// Other operating-system processes and real stores: slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const folder = temporaryFolder();
let machine: RunningMachine;
let agent: Process;
let data: string;
let names = 0;

beforeAll(async () => {
  data = join(folder, 'store');
  mkdirSync(data);
  machine = await startEmbedded(data, { window: 4_096 });
});
afterAll(() => machine.close());

async function newAgent(): Promise<Process> {
  return machine.kernel.spawn({ name: `agent-${(names += 1)}` });
}

/** Closes the machine, looks into its store, and opens it again. */
async function logOf(pid: string): Promise<LogEntry[]> {
  await machine.close();
  const log = await withStore(data, (recall) => wholeLog(recall, pid));
  machine = await startEmbedded(data, { window: 4_096 });
  agent = await machine.kernel.open(pid);
  return log;
}

describe('a message that nobody expects', () => {
  it('of 5 MB is answered, is in recall whole, and the next one is answered too', async () => {
    agent = await newAgent();
    const long = `${'The alpaca of Ada eats hay. 羊驼🦙 '.repeat(160_000)}My name is Ada.`;
    expect(Buffer.byteLength(long)).toBeGreaterThan(5_000_000);
    expect(await agent.send({ id: 'long', text: long })).toMatchObject({ outcome: 'answered' });
    const { pressure, budget } = await agent.map();
    expect(pressure).toBeLessThanOrEqual(budget.tokens);
    const log = await logOf(agent.pid);
    expect(log.find(({ message }) => message.id === 'long')?.message.parts).toEqual([
      { type: 'text', text: long },
    ]);
    expect(await agent.send('What does the alpaca eat?')).toMatchObject({ outcome: 'answered' });
  });

  it.each([
    ['empty', ''],
    ['white space', ' \n\t\u00a0\u3000 '],
    ['without a visible character', '\u200b\u2060\ufeff'],
  ])('%s is refused with what to do, and nothing is stored', async (_, text) => {
    agent = await newAgent();
    const refused = {
      code: 'E_INVALID',
      message: expect.stringContaining('empty'),
      hint: expect.any(String),
    };
    await expect(agent.send(text)).rejects.toMatchObject(refused);
    await expect(agent.append([{ text: 'fine' }, { text }])).rejects.toMatchObject(refused);
    expect((await agent.map()).messages).toBe(0);
    expect(await agent.send('My name is Ada.')).toMatchObject({ outcome: 'answered' });
  });

  it('with lone surrogates and NUL is stored well formed, and found', async () => {
    agent = await newAgent();
    const text = 'My alpaca is called Bo\u0000ris \ud83e and \udd99 lives in Cork.';
    expect(await agent.send({ id: 'odd', text, name: 'A\u0000d\ud800a' })).toMatchObject({
      outcome: 'answered',
    });
    const { hits } = await agent.search({ collection: 'messages', query: 'Cork' });
    expect(hits.length).toBeGreaterThan(0);
    const stored = (await logOf(agent.pid)).find(({ message }) => message.id === 'odd');
    expect(stored && textOf(stored)).toMatch(/^My alpaca is called Bo.?ris . and . lives in Cork\.$/);
    expect(stored && textOf(stored).isWellFormed()).toBe(true);
    expect(stored && textOf(stored)).not.toContain('\u0000');
  });

  // A thousand do none either, on plain memory: test/shell/inbox.test.ts of the kernel.
  it('does no harm when hundreds come at once: each is answered, once, in the order of arrival', async () => {
    agent = await newAgent();
    const ids = Array.from({ length: 250 }, (_, n) => `q${n}`);
    const results = await Promise.all(
      ids.map((id) => agent.send({ id, text: `Alpaca ${id} lives in Cork.` })),
    );
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['answered']));
    expect(results.map(({ interruptId }) => interruptId)).toEqual(ids);
    const log = await logOf(agent.pid);
    expect(log.flatMap(({ message }) => (message.role === 'user' ? [message.id] : []))).toEqual(ids);
  });
});
