import type { CountablePiece, InferRequest } from '@pagefault/contracts';
import { holds, same } from '../check.js';
import type { ProcessorCase } from './instance.js';
import { call, lookTool, message, replyOf, request, result, text } from './samples.js';

/** Everything that a request sends, as it is counted. */
function piecesOf({ tools, system, messages }: InferRequest): CountablePiece[] {
  return [
    { kind: 'tools', tools },
    { kind: 'system', text: system },
    ...messages.map((each) => ({ kind: 'message', message: each }) as const),
  ];
}

const CONVERSATION = request(
  [
    message('system', text('<block name="human">Ada breeds alpacas.</block>')),
    { ...message('user', text('What do I breed?')), name: 'Ada' },
    message('assistant', text('Let me look.'), call('call_1', '{"at":"the notes of 3 May"}')),
    message('tool', result('call_1', 'alpacas; 一只羊驼 🦙; const fleece = 1234;')),
    message('assistant', text('Alpacas.')),
    message('user', text('<|endoftext|>\n'.repeat(20))),
  ],
  { tools: [lookTool], system: 'You are brief.' },
);

export const counting: readonly ProcessorCase[] = [
  {
    name: 'count: the pieces together are at least what the server counts (A34)',
    async run({ driver, script, counted }) {
      script({ text: 'ok' });
      const counts = await driver.count(piecesOf(CONVERSATION));
      await replyOf(driver.infer(CONVERSATION));
      const sum = counts.reduce((total, count) => total + count, 0);
      holds(sum >= counted(), `counted ${sum}, but the server counts ${counted()}`);
    },
  },
  {
    name: 'count: one whole number for each piece, in their order, and more for more text',
    async run({ driver }) {
      const short: CountablePiece = { kind: 'message', message: message('user', text('one')) };
      const long: CountablePiece = {
        kind: 'message',
        message: message('user', text('one two three '.repeat(50))),
      };
      const [first, second, third] = await driver.count([short, long, short]);
      same(first, third);
      holds((second ?? 0) > (first ?? 0) + 50, 'more text is more tokens');
      same(await driver.count([]), []);
    },
  },
  {
    name: 'count: no text makes it throw, not even the tokenizer’s own words or half a character (A31)',
    async run({ driver }) {
      const odd = ['<|endoftext|>', '<|im_start|>', 'a\ud800', '\udc00', '\u0000', '', ' '];
      const counts = await driver.count(odd.map((value) => ({ kind: 'system', text: value })));
      same(
        [counts.length, counts.every((count) => Number.isInteger(count) && count >= 0)],
        [odd.length, true],
      );
    },
  },
  {
    name: 'count: the bytes of an image are no text (A32)',
    async run({ driver }) {
      const image = { type: 'image', mediaType: 'image/png', data: 'A'.repeat(3_000_000) } as const;
      const [count] = await driver.count([{ kind: 'message', message: message('user', image) }]);
      holds((count ?? 0) < 10_000, `an image is counted as ${count} tokens`);
    },
  },
];
