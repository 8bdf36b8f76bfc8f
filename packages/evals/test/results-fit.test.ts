import type { InferRequest } from '@pagefault/contracts';
import { start } from '@pagefault/wiring';
import { describe, expect, it } from 'vitest';

const QUESTIONS = [
  'What do I breed, and where?',
  'Who is the vet?',
  'Where does Rex sleep?',
  'Which colour do I like?',
];
const LIFE = Array.from(
  { length: 60 },
  (_, n) =>
    `On day ${n} the vet Dr Byrne and my dog Rex saw the alpaca of stall ${n * 7} sleep; I like its blue colour, ${'and it ate hay '.repeat(20)}.`,
);

/** In the smallest window the schemas of all functions would leave no room for results. */
const SYSCALLS = [
  'send_message',
  'core_memory_append',
  'core_memory_replace',
  'conversation_search',
  'archival_memory_search',
  'page_in',
];

/** Results that the model sees for the first time, and that were cut to a stub before it could read them. */
function unreadable({ messages }: InferRequest): string[] {
  const lastReply = messages.findLastIndex(({ role }) => role === 'assistant');
  return messages
    .slice(lastReply)
    .flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'result' ? [part.text] : [])))
    .filter((text) => !text.startsWith('{"') && text.includes('page_in('));
}

describe('what two searches at once bring back', () => {
  it.each([3_400, 4_096, 6_000])(
    'fits beside the conversation, so that the model can read it, in a window of %i tokens (A54, A55)',
    async (window) => {
      const stubs: string[] = [];
      const stack = { recall: 'memory', archival: 'none', embedder: 'none', processor: 'reflex' };
      const overrides = { ...stack, syscalls: SYSCALLS, window };
      const onRequest = (_: string, request: InferRequest) => void stubs.push(...unreadable(request));
      await using machine = await start({ env: {}, overrides, onRequest });
      const agent = await machine.kernel.spawn();
      await agent.archive(LIFE.map((text) => ({ text })));
      await agent.append(LIFE.map((text) => ({ text })));
      for (const question of QUESTIONS) {
        const { outcome, text } = await agent.send(question);
        expect({ outcome, text }).toMatchObject({ outcome: 'answered' });
        expect(text).not.toContain('cannot be read');
      }
      expect(stubs).toEqual([]);
    },
  );
});
