/** A long life on memory drivers, recorded: it talks, looks up, pages in, repeats itself, and flushes again and again. */
import type { InferRequest, RecallDriver } from '@pagefault/contracts';
import {
  createScriptedProcessor,
  type ReplyScript,
  type ScriptedCall,
} from '@pagefault/driver-processor-scripted';
import {
  boot,
  extractive,
  findPolicy,
  type PolicyName,
  type RecordingStore,
  virtualClock,
} from '@pagefault/kernel';

export interface Life {
  readonly recall: RecallDriver;
  readonly policy: PolicyName;
  /** Turns `from` to `to`, the second one excluded. */
  readonly from: number;
  readonly to: number;
  readonly window?: number;
  /** After so many turns nobody says anything until the process has left memory; each attachment is a recording then. */
  readonly pauseEvery?: number;
  /** Every seventeenth message is too long to be kept whole. */
  readonly long?: boolean;
}

/** Lives a part of a life; resolves to the lines of its recording. */
export async function live(life: Life): Promise<string[]> {
  return (await recordings(life)).flat();
}

const IDLE_MS = 1_000;

/** The same, recording by recording. */
export async function recordings({
  recall,
  policy,
  from,
  to,
  window = 4_096,
  ...more
}: Life): Promise<string[][]> {
  const { pauseEvery = Infinity, long = false } = more;
  const all: string[][] = [];
  const record: RecordingStore = {
    place: 'here',
    open: () => {
      const lines: string[] = [];
      all.push(lines);
      return { write: (line) => void lines.push(JSON.stringify(line)), close: async () => undefined };
    },
    erase: async () => [],
  };
  const idPrefix = `call_${from}_`;
  const processor = createScriptedProcessor({ replies: replyTo, window, maxOutput: 512, idPrefix });
  const clock = virtualClock(1_000_000);
  const kernel = await boot({
    recall,
    processor,
    record,
    policy: findPolicy(policy),
    summariser: extractive,
    ...(Number.isFinite(pauseEvery) && { clock, limits: { idleMs: IDLE_MS } }),
  });
  try {
    const agent = (await kernel.find('p')) ?? (await kernel.spawn({ name: 'p' }));
    for (let n = from; n < to; n += 1) {
      await agent.send(`Turn ${n}: ${long && n % 17 === 5 ? sentence(n).repeat(60) : sentence(n)}`);
      if (n % pauseEvery === pauseEvery - 1) await clock.advance(3 * IDLE_MS);
    }
  } finally {
    await kernel.close();
  }
  return all;
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
