/**
 * Answers questions 0 to N - 1 on the embedded store of a folder, four at a time, and says as JSON lines which are in the inbox and
 * which are answered. Started again after it was killed, it first serves the inbox, then asks everything again.
 */
import { randomUUID } from 'node:crypto';
import type { InferRequest } from '@pagefault/contracts';
import type { ReplyScript } from '@pagefault/driver-processor-scripted';
import { start } from '@pagefault/wiring';

const [data = '', count = '0'] = process.argv.slice(2);
const AT_ONCE = 4;

/** Notes the question first, by a chain of calls, then answers it: several commits a turn. */
function replyTo({ messages }: InferRequest): ReplyScript {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[last]?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const question = /question \d+/.exec(text ?? '')?.[0] ?? 'nothing';
  const isNoted = messages.slice(last).some(({ role }) => role === 'tool');
  if (isNoted) return { calls: [{ name: 'send_message', arguments: { message: `Answer to ${question}.` } }] };
  const note = { content: `They asked ${question}.`, request_heartbeat: true };
  return { calls: [{ name: 'archival_memory_insert', arguments: note }] };
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const mintId = (): string => `call_${randomUUID()}`;
const machine = await start({
  cwd: data,
  env: {},
  overrides: {
    data,
    archival: 'none',
    embedder: 'none',
    processor: { driver: 'scripted', replies: replyTo, mintId },
    window: 4_096,
  },
});
const { kernel } = machine;
kernel.bus.on('interrupt-delivered', ({ interruptId }) => say({ delivered: interruptId }));
kernel.bus.on('turn-result', ({ result }) => say({ served: result.interruptId, outcome: result.outcome }));
const agent = (await kernel.find('p')) ?? (await kernel.spawn({ name: 'p' }));
await agent.resume();
say({ resumed: true });
for (let from = 0; from < Number(count); from += AT_ONCE) {
  const numbers = Array.from({ length: Math.min(AT_ONCE, Number(count) - from) }, (_, i) => from + i);
  const asked = numbers.map(async (n) => {
    const { text } = await agent.send({ id: `q${n}`, text: `This is question ${n}, about alpacas.` });
    say({ answered: `q${n}`, text });
  });
  await Promise.all(asked);
}
await machine.close();
