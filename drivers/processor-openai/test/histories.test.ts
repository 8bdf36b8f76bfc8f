import type { CallPart, Message, Part } from '@pagefault/contracts';
import { promptTokens, validateChatRequest, type ChatRequest } from '@pagefault/doubles';
import { countPieces, createTokenCounter } from '@pagefault/driver-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChatBody } from '../src/request.js';
import { settings } from './helpers.js';

/** Text as the kernel may hand it over: any script, blanks, nothing, special tokens, halves of characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('', ' ', '\n', '<|endoftext|>', 'a\ud800', '\udc00b'),
);
const foreignId = fc.oneof(
  fc.constantFrom('', 'call_0', 'call_1', 'functions.write_todos:0', `toolu_${'x'.repeat(60)}`, 'é|fc_😀'),
  fc.string({ maxLength: 80 }),
);
const anyArguments = fc.oneof(
  fc.json(),
  fc.constantFrom('', '{}', '{"a":', '[]', '{"id":2512292042121000001}', '{"a":"\ud800"}'),
);
const part: fc.Arbitrary<Part> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: anyText }),
  fc.record({
    type: fc.constant('thinking' as const),
    text: anyText,
    opaque: fc.constant({ driver: 'processor-anthropic', model: 'm', data: 'signature' }),
  }),
  fc.record({
    type: fc.constant('image' as const),
    mediaType: fc.constantFrom('image/png', 'application/pdf', ''),
    data: fc.constantFrom('aGk=', '', 'not base64!'),
  }),
);
const call: fc.Arbitrary<CallPart> = fc.record({
  type: fc.constant('call' as const),
  callId: foreignId,
  name: fc.oneof(fc.constantFrom('look', 'send_message'), anyText),
  arguments: anyArguments,
});

interface Born {
  readonly role: Message['role'];
  readonly parts: readonly Part[];
  readonly name?: string | undefined;
}

const message = (born: Born): Message => ({
  id: 'm',
  role: born.role,
  parts: born.parts,
  at: 0,
  ...(born.name === undefined ? {} : { name: born.name }),
});

const plainPage = fc
  .record({
    role: fc.constantFrom('user' as const, 'system' as const, 'assistant' as const),
    parts: fc.array(part, { maxLength: 3 }),
    name: fc.option(anyText, { nil: undefined }),
  })
  .map((born) => [message(born)]);

/** An assistant message with calls, and the results of all of them in one or in several messages. */
const callPage = fc
  .record({
    parts: fc.array(part, { maxLength: 2 }),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
    result: anyText,
    apart: fc.boolean(),
  })
  .map(({ parts, calls, result, apart }) => {
    const results = calls.map(({ callId, name }) => ({
      type: 'result' as const,
      callId,
      name,
      text: result,
    }));
    const groups = apart ? results.map((each) => [each]) : [results];
    return [
      message({ role: 'assistant', parts: [...parts, ...calls] }),
      ...groups.map((group) => message({ role: 'tool', parts: group })),
    ];
  });

const pages = fc.array(fc.oneof(plainPage, callPage), { maxLength: 12 });
const system = fc.constant('You are brief.');
const tools = fc.constantFrom(
  [],
  [
    {
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: { at: { type: 'string' } } },
    },
  ],
);

describe('invariant 2 for OpenAI: whatever was evicted, the service accepts the request', () => {
  it('after evictions of whole pages', () => {
    const history = fc.record({ system, tools, pages, kept: fc.infiniteStream(fc.boolean()) });
    fc.assert(
      fc.property(history, ({ kept, pages: all, ...rest }) => {
        const messages = all.filter(() => kept.next().value !== false).flat();
        const body = toChatBody({ ...rest, messages, maxOutput: 100 }, settings);
        expect(validateChatRequest(body)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('after losses of single messages, cuts anywhere and interrupted calls (A01 A02 A04 A06)', () => {
    const history = fc.record({ system, tools, pages, kept: fc.infiniteStream(fc.boolean()) });
    fc.assert(
      fc.property(history, ({ kept, pages: all, ...rest }) => {
        const messages = all.flat().filter(() => kept.next().value !== false);
        const body = toChatBody({ ...rest, messages, maxOutput: 100 }, settings);
        expect(validateChatRequest(body)).toEqual([]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('and the same history gives the same bytes', () => {
    fc.assert(
      fc.property(fc.record({ system, tools, pages }), ({ pages: all, ...rest }) => {
        const send = (): string =>
          JSON.stringify(
            toChatBody({ ...rest, messages: structuredClone(all.flat()), maxOutput: 100 }, settings),
          );
        expect(send()).toBe(send());
      }),
      { numRuns: 300 },
    );
  });

  it('and nothing is sent that was not counted (A34)', () => {
    const counter = createTokenCounter();
    fc.assert(
      fc.property(fc.record({ system, tools, pages }), ({ pages: all, ...rest }) => {
        const messages = all.flat();
        const body = toChatBody({ ...rest, messages, maxOutput: 100 }, settings);
        const counted = countPieces(
          counter,
          [
            { kind: 'tools', tools: rest.tools },
            { kind: 'system', text: rest.system },
            ...messages.map((each) => ({ kind: 'message', message: each }) as const),
          ],
          { thinkingIsSent: false },
        );
        const total = counted.reduce((sum, tokens) => sum + tokens, 0);
        expect(total).toBeGreaterThanOrEqual(promptTokens(body as unknown as ChatRequest));
      }),
      { numRuns: 1_000 },
    );
  });
});
