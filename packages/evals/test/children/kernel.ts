/**
 * A kernel of its own on the server given. Each line of standard input asks something of a process, by name; the answer is a
 * line of JSON: its text, or why there is none. At the end of the input it closes.
 */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { type InferRequest, PagefaultError } from '@pagefault/contracts';
import type { ReplyScript } from '@pagefault/driver-processor-scripted';
import { start } from '@pagefault/wiring';

interface Asked {
  readonly process: string;
  readonly id: string;
}

const [connectionString = ''] = process.argv.slice(2);

/** Notes the question first, by a chain of calls, then answers it: several commits a turn. */
function replyTo({ messages }: InferRequest): ReplyScript {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const text = messages[last]?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const question = /question \S+/.exec(text ?? '')?.[0] ?? 'nothing';
  const isNoted = messages.slice(last).some(({ role }) => role === 'tool');
  if (isNoted) return { calls: [{ name: 'send_message', arguments: { message: `Answer to ${question}` } }] };
  const note = { content: `They asked ${question}`, request_heartbeat: true };
  return { calls: [{ name: 'archival_memory_insert', arguments: note }] };
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

const machine = await start({
  cwd: process.cwd(),
  configFile: 'two-kernels.json',
  env: {},
  overrides: {
    recall: connectionString,
    archival: 'none',
    embedder: 'none',
    processor: { driver: 'scripted', replies: replyTo, mintId: () => `call_${randomUUID()}` },
    window: 4_096,
  },
});
const { kernel } = machine;
say({ ready: true });

async function ask({ process: name, id }: Asked): Promise<void> {
  try {
    const agent = await kernel.find(name);
    if (agent === undefined) throw new Error(`no process ${name}`);
    const { text } = await agent.send({ id, text: `This is question ${id} about alpacas.` });
    say({ id, text });
  } catch (error) {
    say({ id, failed: PagefaultError.is(error) ? error.code : String(error) });
  }
}

const asking: Promise<void>[] = [];
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line) as Asked & { readonly spawn?: string };
  if (asked.spawn === undefined) asking.push(ask(asked));
  else say({ spawned: (await kernel.spawn({ name: asked.spawn })).pid });
}
await Promise.all(asking);
await machine.close();
