/** Histories as a kernel may hand them over, after whatever happened to them: for properties of requests. */
import type { CallPart, InferRequest, Message, Part, ThinkingPart } from '@pagefault/contracts';
import fc from 'fast-check';
import { lookTool } from './samples.js';

/** Any script, blanks, nothing, special tokens, halves of characters. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('', ' ', '\n', 'ok \n', '<|endoftext|>', 'a\ud800', '\udc00b'),
);
const foreignId = fc.oneof(
  fc.constantFrom('', 'call_0', 'call_1', 'functions.write_todos:0', `toolu_${'x'.repeat(60)}`, 'é|fc_😀'),
  fc.string({ maxLength: 80 }),
);
const anyArguments = fc.oneof(
  fc.json(),
  fc.constantFrom('', '{}', '{"a":', '[]', '{"id":2512292042121000001}', '{"a":"\ud800"}'),
);
const image: fc.Arbitrary<Part> = fc.record({
  type: fc.constant('image' as const),
  mediaType: fc.constantFrom('image/png', 'application/pdf', ''),
  data: fc.constantFrom('aGk=', '', 'not base64!'),
});
const call: fc.Arbitrary<CallPart> = fc.record({
  type: fc.constant('call' as const),
  callId: foreignId,
  name: fc.oneof(fc.constantFrom('look', 'send_message'), anyText),
  arguments: anyArguments,
});

/** What other drivers left behind, and models that keep none. */
const foreignThinking: fc.Arbitrary<ThinkingPart> = fc.oneof(
  fc.record({ type: fc.constant('thinking' as const), text: anyText }),
  fc.record({
    type: fc.constant('thinking' as const),
    text: anyText,
    opaque: fc.constant({ driver: 'processor-other', model: 'm', data: 'signature' }),
  }),
);

interface Born {
  readonly role: Message['role'];
  readonly parts: readonly Part[];
  readonly name?: string | undefined;
}

const message = ({ role, parts, name }: Born): Message => ({
  id: 'm',
  role,
  parts,
  at: 0,
  ...(name === undefined ? {} : { name }),
});

function plainPage(part: fc.Arbitrary<Part>): fc.Arbitrary<Message[]> {
  return fc
    .record({
      role: fc.constantFrom('user' as const, 'system' as const, 'assistant' as const),
      parts: fc.array(part, { maxLength: 3 }),
      name: fc.option(anyText, { nil: undefined }),
    })
    .map((born) => [message(born)]);
}

/** An assistant message with calls, and the results of all of them in one or in several messages. */
function callPage(part: fc.Arbitrary<Part>): fc.Arbitrary<Message[]> {
  return fc
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
}

export interface AnyHistory {
  readonly system: string;
  readonly tools: InferRequest['tools'];
  /** Whole pages: evictions take one or none. */
  readonly pages: readonly (readonly Message[])[];
  readonly breakpoints: readonly number[];
}

/** `own`: thinking as the driver under test keeps it, beside that of others. */
export function anyHistory(own: fc.Arbitrary<ThinkingPart> = foreignThinking): fc.Arbitrary<AnyHistory> {
  const textPart = fc.record({ type: fc.constant('text' as const), text: anyText });
  const part: fc.Arbitrary<Part> = fc.oneof(textPart, foreignThinking, own, image);
  return fc.record({
    system: fc.constant('You are brief.'),
    tools: fc.constantFrom([], [lookTool]),
    pages: fc.array(fc.oneof(plainPage(part), callPage(part)), { maxLength: 12 }),
    breakpoints: fc
      .uniqueArray(fc.nat({ max: 20 }), { maxLength: 4 })
      .map((all) => all.toSorted((a, b) => a - b)),
  });
}

export interface AnyRequest {
  /** With pages evicted as a kernel does it: whole ones. */
  readonly evicted: InferRequest;
  /** With messages lost anywhere, as after a crash or from an older version. */
  readonly torn: InferRequest;
  /** With nothing lost. */
  readonly whole: InferRequest;
}

/** A history after evictions, after losses, and as it was. */
export function anyRequest(own?: fc.Arbitrary<ThinkingPart>, maxOutput = 100): fc.Arbitrary<AnyRequest> {
  return fc
    .record({ history: anyHistory(own), kept: fc.infiniteStream(fc.boolean()) })
    .map(({ history: { pages, breakpoints, ...rest }, kept }) => {
      const stays = () => kept.next().value !== false;
      const made = (messages: readonly Message[]): InferRequest => ({
        ...rest,
        messages,
        maxOutput,
        breakpoints: breakpoints.filter((n) => n < messages.length),
      });
      return {
        evicted: made(pages.filter(stays).flat()),
        torn: made(pages.flat().filter(stays)),
        whole: made(pages.flat()),
      };
    });
}
