import { holds, same } from '../check.js';
import type { ProcessorCase } from './instance.js';
import { collect, hello, lookTool, message, replyOf, request, text } from './samples.js';

const toolRequest = request(hello.messages, { tools: [lookTool] });

/** Long enough for every provider's cache. */
const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(600);

export const outcomes: readonly ProcessorCase[] = [
  {
    name: 'outcome: an answer without content stops, with nothing empty in it (A09)',
    async run({ driver, script }) {
      script({});
      const { parts, reason } = await replyOf(driver.infer(hello));
      same([parts, reason], [[], 'stop']);
    },
  },
  {
    name: 'outcome: an answer that the output limit cut says so',
    async run({ driver, script }) {
      script({ text: 'half an ans', end: 'length' });
      same((await replyOf(driver.infer(hello))).reason, 'length');
    },
  },
  {
    name: 'outcome: an answer that the model declined is refused, once (A30)',
    async run({ driver, script, requests }) {
      script({ end: 'refused' });
      const { parts, reason } = await replyOf(driver.infer(hello));
      same([parts, reason, requests()], [[], 'refused', 1]);
    },
  },
  {
    name: 'outcome: a prompt that a filter declines is refused, once (A30)',
    async run({ driver, script, requests }) {
      script({ fault: { kind: 'filtered' } });
      const { parts, reason } = await replyOf(driver.infer(hello));
      same([parts, reason, requests()], [[], 'refused', 1]);
    },
  },
  {
    name: 'outcome: a call that the output limit cut is broken and not called (A22)',
    async run({ driver, script }) {
      script({ calls: [{ name: 'look', arguments: '{"at":"the s' }], end: 'length' });
      const { parts, brokenCalls } = await replyOf(driver.infer(toolRequest));
      same([parts, brokenCalls?.length], [[], 1]);
      same(brokenCalls?.[0]?.call.arguments, '{}');
      holds(brokenCalls?.[0]?.problem !== '', 'the model is told what is wrong');
    },
  },
  {
    name: 'outcome: a call whose arguments are no object is broken although the server says that all is well (A23)',
    async run({ driver, script }) {
      script(
        { calls: [{ name: 'look', arguments: '{"at":"the s' }] },
        { calls: [{ name: 'look', arguments: '[1]' }] },
      );
      for (const _ of ['cut', 'list']) {
        const { parts, brokenCalls } = await replyOf(driver.infer(toolRequest));
        same([parts, brokenCalls?.length], [[], 1]);
      }
    },
  },
  {
    name: 'usage: input is told once, wherever the provider had it from (A36)',
    async run({ driver, script, counted }) {
      script({ text: 'ok' }, { text: 'ok' });
      const messages = [message('user', text(LONG)), message('user', text('Well?'))];
      for (const _ of ['cold', 'warm']) {
        const { usage } = await replyOf(driver.infer(request(messages, { breakpoints: [0, 1] })));
        same(usage.plain + usage.cached + usage.written, counted());
        holds(usage.output > 0, 'the output is told');
      }
    },
  },
  {
    name: 'usage: what is told before the reply stands is told for its own request, and is the same in the end',
    async run({ driver, script }) {
      script({ text: 'one two three', fault: { kind: 'cut', shown: false } }, { text: 'ok' });
      const events = await collect(driver.infer(hello));
      const told = events.flatMap((event) => (event.type === 'usage' ? [event] : []));
      const attempts = told.map(({ attempt = 1 }) => attempt);
      same(
        attempts,
        attempts.toSorted((a, b) => a - b),
      );
      const last = events.at(-1);
      holds(last?.type === 'finish', 'the stream ends with a finish');
      if (last?.type !== 'finish') return;
      const own = told.findLast(({ attempt = 1 }) => attempt === (last.attempt ?? 1));
      if (own !== undefined) same(own.usage, last.reply.usage);
      holds(
        attempts.every((attempt) => attempt <= (last.attempt ?? 1)),
        'the last request is the one that answered',
      );
    },
  },
  {
    name: 'usage: a server that reports none is all zero',
    async run({ driver, script }) {
      script({ text: 'ok', usage: false });
      same((await replyOf(driver.infer(hello))).usage, { plain: 0, cached: 0, written: 0, output: 0 });
    },
  },
];
