/**
 * WildChat (Zhao et al. 2024): a million chats with ChatGPT, a row each. Some releases tell when each reply came; without
 * that, times are made.
 */
import { z } from 'zod';
import type { TraceLine } from '../trace/format.js';
import { type Chat, chatTrace, QUOTED } from './chat.js';
import { shapedObjects } from './objects.js';
import type { ImportOptions, TraceSource } from './source.js';

const time = z.union([z.string(), z.number()]).nullish();
const row = z.object({
  conversation_hash: z.string().nullish(),
  conversation_id: z.string().nullish(),
  conversation: z.array(
    z.object({
      role: z.enum(['system', 'user', 'assistant']),
      content: z.string().nullish(),
      timestamp: time,
    }),
  ),
});

export const wildchat: TraceSource = {
  name: 'wildchat',
  reads: 'WildChat rows: JSON lines or JSON with conversation of role and content',
  needs: ['derived'],
  needsFrom: QUOTED,
  licence: 'ODC-BY (allenai/WildChat)',
  files: /wildchat.*\.jsonl?$/i,
  matches: ({ text }) => /"conversation"\s*:\s*\[/.test(text) && /"role"\s*:/.test(text),
  read: readRows,
};

async function* readRows(file: string, options: ImportOptions = {}): AsyncGenerator<TraceLine> {
  const schedule = 'replies as told, else 10 s apart; chats an hour';
  yield* chatTrace(wildchat, file, options, { clock: 'made', schedule }, () => chatsIn(file));
}

async function* chatsIn(file: string): AsyncGenerator<Chat> {
  for await (const { value, line, number } of shapedObjects(file, row)) {
    const said = value.conversation.map(({ role, content, timestamp }) => {
      return { role, text: content ?? '', at: millisecondsOf(timestamp) };
    });
    const id = value.conversation_hash ?? value.conversation_id ?? '';
    yield { id: id === '' ? `chat-${number}` : id, line, sittings: [said] };
  }
}

/** Tables are written out with a text, or with a number of seconds or milliseconds. */
function millisecondsOf(told: z.output<typeof time>): number | undefined {
  const at = typeof told === 'number' ? told * (told < 1e11 ? 1_000 : 1) : Date.parse(told ?? '');
  return Number.isFinite(at) ? at : undefined;
}
