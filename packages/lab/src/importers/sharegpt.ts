/** ShareGPT: chats with assistants that their users shared. One is a session; nothing tells when anything was said. */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { type Chat, chatTrace, QUOTED, type Said } from './chat.js';
import { shapedObjects } from './objects.js';
import type { ImportOptions, TraceSource } from './source.js';

const chat = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  conversations: z.array(z.object({ from: z.string(), value: z.string().nullish() })).nullish(),
});

const ROLES: ReadonlyMap<string, Said['role']> = new Map([
  ['system', 'system'],
  ['human', 'user'],
  ['user', 'user'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bing', 'assistant'],
  ['bard', 'assistant'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['tool', 'tool_result'],
  ['function', 'tool_result'],
  ['observation', 'tool_result'],
]);

export const sharegpt: TraceSource = {
  name: 'sharegpt',
  reads: 'ShareGPT chats: JSON or JSON lines with conversations of from and value',
  needs: ['derived'],
  needsFrom: QUOTED,
  licence: 'none is stated (ShareGPT)',
  files: /sharegpt.*\.jsonl?$/i,
  matches: ({ text }) => /"conversations"\s*:\s*(?:\[|null)/.test(text) && /"from"\s*:/.test(text),
  read: readChats,
};

async function* readChats(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'replies 10 s apart, chats an hour';
  yield* chatTrace(sharegpt, file, options, { clock: 'made', schedule }, () => chatsIn(file, options));
}

async function* chatsIn(file: string, options: ImportOptions): AsyncGenerator<Chat> {
  for await (const { value, line, number } of shapedObjects(file, chat)) {
    const said: Said[] = [];
    for (const { from, value: text } of value.conversations ?? []) {
      const role = ROLES.get(from.toLowerCase());
      if (role) said.push({ role, text: text ?? '' });
      else options.onSkipped?.({ file, line, why: `it is not known who ${JSON.stringify(from)} is` });
    }
    yield { id: String(value.id ?? `chat-${number}`), line, sittings: [said] };
  }
}
