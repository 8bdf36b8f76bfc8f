/** A long life on memory drivers, recorded: it talks, looks up, pages in, repeats itself, and flushes again and again. */
import type { InferRequest, RecallDriver } from '@pagefault/contracts';
import {
  createScriptedProcessor,
  type ReplyScript,
  type ScriptedCall,
} from '@pagefault/driver-processor-scripted';
import { boot, extractive, findPolicy, type PolicyName, type RecordingStore } from '@pagefault/kernel';

export interface Life {
  readonly recall: RecallDriver;
  readonly policy: PolicyName;
  /** Turns `from` to `to`, the second one excluded. */
  readonly from: number;
  readonly to: number;
  readonly window?: number;
}

/** Lives a part of a life; resolves to the lines of its recording. */
export async function live({ recall, policy, from, to, window = 4_096 }: Life): Promise<string[]> {
  const lines: string[] = [];
  const record: RecordingStore = {
    place: 'here',
    open: () => ({
      write: (line) => void lines.push(JSON.stringify(line)),
      close: async () => undefined,
    }),
    erase: async () => [],
  };
  const idPrefix = `call_${from}_`;
  const processor = createScriptedProcessor({ replies: replyTo, window, maxOutput: 512, idPrefix });
  const options = { recall, processor, record, policy: findPolicy(policy), summariser: extractive };
  const kernel = await boot(options);
  try {
    const agent = (await kernel.find('p')) ?? (await kernel.spawn({ name: 'p' }));
    for (let n = from; n < to; n += 1) await agent.send(`Turn ${n}: ${sentence(n)}`);
  } finally {
    await kernel.close();
  }
  return lines;
}

function sentence(n: number): string {
  return `the alpaca of stall ${n * 7} was sheared on day ${n}, and its fleece weighs ${n * 13} grams of wool.`;
}

/** What a turn does depends on its number alone, so that a life can be lived again. */
function replyTo({ messages }: InferRequest): ReplyScript {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[last]?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const turn = Number(/Turn (\d+)/.exec(text ?? '')?.[1] ?? 0);
  const results = messages.slice(last).filter(({ role }) => role === 'tool').length;
  const call = chainOf(turn)[results];
  if (call) return { calls: [call], usage: usageOf(turn) };
  const message = `Noted for turn ${turn}: ${'a fleece like that is rare. '.repeat(1 + (turn % 5))}`;
  return { calls: [{ name: 'send_message', arguments: { message } }] };
}

/** Some turns are reported larger than they were counted, so that calibration moves. */
function usageOf(turn: number): { plain: number; output: number } {
  return turn % 40 === 39 ? { plain: 3_400, output: 20 } : { plain: 0, output: 0 };
}

function chainOf(turn: number): readonly ScriptedCall[] {
  const more = { request_heartbeat: true };
  const search = { name: 'conversation_search', arguments: { query: `stall ${(turn - 20) * 7}`, ...more } };
  if (turn % 10 === 9) return [search, search];
  if (turn % 10 === 6) return [search];
  if (turn % 10 === 3) return [{ name: 'page_in', arguments: { handle: `m${turn}`, ...more } }];
  return [];
}
