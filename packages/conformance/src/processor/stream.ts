import type { ProcessorEvent, Reply } from '@pagefault/contracts';
import { holds, same } from '../check.js';
import type { ProcessorCase } from './instance.js';
import { collect, hello, lookTool, replyOf, request } from './samples.js';

const toolRequest = request(hello.messages, { tools: [lookTool] });

/** What a stream's deltas of one type add up to. */
function joined(events: readonly ProcessorEvent[], type: 'text' | 'thinking'): string {
  return events.map((event) => (event.type === type ? event.delta : '')).join('');
}

/** What a reply's parts of one type say. */
function said(reply: Reply, type: 'text' | 'thinking'): string {
  return reply.parts.map((part) => (part.type === type ? part.text : '')).join('');
}

function callsOf(reply: Reply) {
  return reply.parts.flatMap((part) => (part.type === 'call' ? [part] : []));
}

/** Each call announced once, its slots from 0 up, and its arguments behind its announcement. */
function callsInEvents(events: readonly ProcessorEvent[]): { name: string; arguments: string }[] {
  const calls: { name: string; arguments: string }[] = [];
  for (const event of events) {
    if (event.type === 'call') {
      same(event.slot, calls.length, 'a call is announced once, and its slot is its place');
      calls.push({ name: event.name, arguments: '' });
    }
    if (event.type !== 'arguments') continue;
    const call = calls[event.slot];
    holds(call !== undefined, 'arguments come behind the announcement of their call');
    if (call !== undefined) call.arguments += event.delta;
  }
  return calls;
}

export const stream: readonly ProcessorCase[] = [
  {
    name: 'stream: deltas of text add up to the reply, and one finish ends it',
    async run({ driver, script }) {
      script({ text: 'Let me look 🌍, and look again.' });
      const events = await collect(driver.infer(hello));
      const finishes = events.filter(({ type }) => type === 'finish');
      same([finishes.length, events.at(-1)?.type], [1, 'finish']);
      same(joined(events, 'text'), 'Let me look 🌍, and look again.');
      const reply = await replyOf(iterate(events));
      same(reply.parts, [{ type: 'text', text: 'Let me look 🌍, and look again.' }]);
    },
  },
  {
    name: 'stream: deltas of thinking add up to the thinking of the reply',
    async run({ driver, script }) {
      script({ thinking: 'The sky, then. 🤔', text: 'Blue.' });
      const events = await collect(driver.infer(hello));
      const reply = await replyOf(iterate(events));
      same([joined(events, 'thinking'), said(reply, 'thinking')], ['The sky, then. 🤔', 'The sky, then. 🤔']);
    },
  },
  {
    name: 'stream: each of several calls is announced once, and its pieces add up to what it is (A24)',
    async run({ driver, script }) {
      const calls = [
        { name: 'look', arguments: '{"at":"the sky"}' },
        { name: 'look', arguments: '{"at":"the sea and the shore"}' },
      ];
      script({ text: 'So.', calls });
      const events = await collect(driver.infer(toolRequest));
      const reply = await replyOf(iterate(events));
      same(callsInEvents(events), calls);
      same(
        callsOf(reply).map(({ name, arguments: written }) => ({ name, arguments: written })),
        calls,
      );
      same([reply.reason, said(reply, 'text')], ['calls', 'So.']);
    },
  },
  {
    name: 'stream: ids of calls are unique although the server repeats its own, or gives none (A18 A19)',
    async run({ driver, script }) {
      const twice = { calls: ['call_0', 'call_0', ''].map((id) => ({ id, name: 'look', arguments: '{}' })) };
      script(twice, twice);
      const replies = [await replyOf(driver.infer(toolRequest)), await replyOf(driver.infer(toolRequest))];
      const ids = replies.flatMap(callsOf).map(({ callId }) => callId);
      same([ids.length, new Set(ids).size, ids.includes('')], [6, 6, false]);
    },
  },
  {
    name: 'stream: a call without arguments has none, and is no error (A27)',
    async run({ driver, script }) {
      script({ calls: [{ name: 'look' }] });
      const reply = await replyOf(driver.infer(toolRequest));
      same([callsOf(reply)[0]?.arguments, reply.brokenCalls], ['{}', undefined]);
    },
  },
  {
    name: 'stream: no number in arguments loses a digit (A28)',
    async run({ driver, script }) {
      script({ calls: [{ name: 'look', arguments: '{"id":2512292042121000001}' }] });
      const reply = await replyOf(driver.infer(toolRequest));
      same(callsOf(reply)[0]?.arguments, '{"id":2512292042121000001}');
    },
  },
  {
    name: 'stream: characters that are split between packets are read whole (A29)',
    async run({ driver, script }) {
      script({ text: 'grüße 🌍 世界', fault: { kind: 'split' } });
      same(said(await replyOf(driver.infer(hello)), 'text'), 'grüße 🌍 世界');
    },
  },
];

async function* iterate(events: readonly ProcessorEvent[]): AsyncIterable<ProcessorEvent> {
  yield* events;
}
