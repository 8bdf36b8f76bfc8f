import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunningMachine } from '@pagefault/wiring';
import { start } from '@pagefault/wiring';
import { readTranscript, type TranscriptMessage } from '@pagefault/transcripts';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = process.env['PAGEFAULT_DATA'] ?? join(root, '..', 'shared', 'data');

interface Fed {
  readonly conversations: ReadonlyMap<string, readonly TranscriptMessage[]>;
  readonly requests: readonly number[];
  readonly budget: number;
  readonly machine: RunningMachine;
}

/** Feeds a whole file through a window, one process a conversation, and keeps the size of every request. */
async function feed(file: string, window: number): Promise<Fed> {
  const requests: number[] = [];
  const machine = await start({
    env: {},
    overrides: { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex', window },
    onRequest: (_, __, tokens) => requests.push(tokens),
  });
  const conversations = new Map<string, TranscriptMessage[]>();
  for await (const message of readTranscript(file)) {
    conversations.set(message.conversation, [...(conversations.get(message.conversation) ?? []), message]);
  }
  let budget = 0;
  for (const [name, messages] of conversations) {
    const process = await machine.kernel.spawn({ name });
    await process.append(messages);
    budget = (await process.map()).budget.tokens;
  }
  return { conversations, requests, budget, machine };
}

describe.each([
  { title: 'the five LoCoMo conversations', path: ['locomo', 'locomo_sessions.jsonl'], window: 4_096 },
  { title: 'the BEAM chat 500K/01', path: ['beam', '500K', '01.messages.jsonl'], window: 8_192 },
])('$title through a window of $window tokens', ({ path, window }) => {
  const file = join(data, ...path);

  it.skipIf(!existsSync(file))(
    'no request is over the budget, and every message is in recall once',
    async () => {
      const { conversations, requests, budget, machine } = await feed(file, window);
      const total = [...conversations.values()].reduce((sum, messages) => sum + messages.length, 0);
      expect(requests).toHaveLength(total);
      expect(Math.max(...requests)).toBeLessThanOrEqual(budget);
      for (const [name, messages] of conversations) {
        const process = await machine.kernel.find(name);
        const handles = messages.map((_, index) => `m${index + 1}`);
        expect(await process?.messageIds(handles)).toEqual(messages.map(({ id }) => id));
        expect((await process?.map())?.messages).toBe(messages.length);
      }
      await machine.close();
    },
  );
});
