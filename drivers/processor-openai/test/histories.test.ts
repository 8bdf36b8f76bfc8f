import type { InferRequest, ThinkingPart } from '@pagefault/contracts';
import { anyRequest } from '@pagefault/conformance';
import {
  type ChatRequest,
  promptTokens,
  type ResponsesRequest,
  sealReasoning,
  tokensOfResponses,
  validateChatRequest,
  validateResponsesRequest,
} from '@pagefault/doubles';
import { countPieces, createTokenCounter } from '@pagefault/driver-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChatBody } from '../src/chat/request.js';
import { toResponsesBody } from '../src/responses/request.js';
import { message, responsesSettings, settings, text } from './helpers.js';

/** Reasoning of this model and of another one, as the driver keeps it. */
const own: fc.Arbitrary<ThinkingPart> = fc.constantFrom('o3', 'o3-pro').chain((model) =>
  fc.constantFrom('rs_1', 'rs_2').map((id) => {
    const data = { api: 'responses', id, encrypted: sealReasoning(model, 'hm'), summary: ['Hm.', 'a\ud800'] };
    return { type: 'thinking', text: 'Hm.', opaque: { driver: 'processor-openai', model, data } };
  }),
);

const APIS = [
  {
    api: 'chat',
    toBody: (request: InferRequest) => toChatBody(request, settings),
    problems: validateChatRequest,
    tokens: (body: unknown) => promptTokens(body as ChatRequest),
  },
  {
    api: 'responses',
    toBody: (request: InferRequest) => toResponsesBody(request, responsesSettings),
    problems: validateResponsesRequest,
    tokens: (body: unknown) => tokensOfResponses(body as ResponsesRequest).length,
  },
];

/** So that something is left to send, whatever was lost. */
const first = message('user', text('hi'));
const begun = (request: InferRequest): InferRequest => ({
  ...request,
  messages: [first, ...request.messages],
});

describe.each(APIS)(
  'invariant 2 for OpenAI by $api: whatever was evicted',
  ({ api, toBody, problems, tokens }) => {
    it('the service accepts the request after evictions of whole pages', () => {
      fc.assert(
        fc.property(anyRequest(own), ({ evicted }) => {
          expect(problems(toBody(begun(evicted)))).toEqual([]);
        }),
        { numRuns: 3_000 },
      );
    });

    it('and after losses of single messages, cuts anywhere and interrupted calls (A01 A02 A04 A06)', () => {
      fc.assert(
        fc.property(anyRequest(own), ({ torn }) => {
          expect(problems(toBody(begun(torn)))).toEqual([]);
        }),
        { numRuns: 3_000 },
      );
    });

    it('and the same history gives the same bytes', () => {
      fc.assert(
        fc.property(anyRequest(own), ({ whole }) => {
          const send = (): string => JSON.stringify(toBody(begun(structuredClone(whole))));
          expect(send()).toBe(send());
        }),
        { numRuns: 300 },
      );
    });

    it('and it keeps the bytes of its prefix when the conversation goes on (A56)', () => {
      fc.assert(
        fc.property(anyRequest(own), ({ whole }) => {
          const sent = (messages: InferRequest['messages']): string[] => {
            const body = toBody({ ...whole, messages: [first, ...messages, end] }) as {
              readonly messages?: readonly unknown[];
              readonly input?: readonly unknown[];
            };
            return (body.messages ?? body.input ?? []).map((each) => JSON.stringify(each));
          };
          const end = message('user', text('and?'));
          const before = sent(whole.messages);
          const after = sent([...whole.messages, end, { ...end, role: 'assistant' }]);
          expect(after.slice(0, before.length)).toEqual(before);
        }),
        { numRuns: 300 },
      );
    });

    it('and nothing is sent that was not counted (A34)', () => {
      const counter = createTokenCounter();
      fc.assert(
        fc.property(anyRequest(own), (any) => {
          const whole = begun(any.whole);
          const counted = countPieces(
            counter,
            [
              { kind: 'tools', tools: whole.tools },
              { kind: 'system', text: whole.system },
              ...whole.messages.map((each) => ({ kind: 'message', message: each }) as const),
            ],
            { thinkingIsSent: api === 'responses' },
          );
          const total = counted.reduce((sum, each) => sum + each, 0);
          expect(total).toBeGreaterThanOrEqual(tokens(toBody(whole)));
        }),
        { numRuns: 1_000 },
      );
    });
  },
);
