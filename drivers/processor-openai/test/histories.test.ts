import type { InferRequest } from '@pagefault/contracts';
import { anyRequest } from '@pagefault/conformance';
import { promptTokens, validateChatRequest, type ChatRequest } from '@pagefault/doubles';
import { countPieces, createTokenCounter } from '@pagefault/driver-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toChatBody } from '../src/request.js';
import { settings } from './helpers.js';

const accepts = (request: InferRequest): void => {
  expect(validateChatRequest(toChatBody(request, settings))).toEqual([]);
};

describe('invariant 2 for OpenAI: whatever was evicted, the service accepts the request', () => {
  it('after evictions of whole pages', () => {
    fc.assert(
      fc.property(anyRequest(), ({ evicted }) => accepts(evicted)),
      { numRuns: 3_000 },
    );
  });

  it('after losses of single messages, cuts anywhere and interrupted calls (A01 A02 A04 A06)', () => {
    fc.assert(
      fc.property(anyRequest(), ({ torn }) => accepts(torn)),
      { numRuns: 3_000 },
    );
  });

  it('and the same history gives the same bytes', () => {
    fc.assert(
      fc.property(anyRequest(), ({ whole }) => {
        const send = (): string => JSON.stringify(toChatBody(structuredClone(whole), settings));
        expect(send()).toBe(send());
      }),
      { numRuns: 300 },
    );
  });

  it('and nothing is sent that was not counted (A34)', () => {
    const counter = createTokenCounter();
    fc.assert(
      fc.property(anyRequest(), ({ whole }) => {
        const body = toChatBody(whole, settings);
        const counted = countPieces(
          counter,
          [
            { kind: 'tools', tools: whole.tools },
            { kind: 'system', text: whole.system },
            ...whole.messages.map((each) => ({ kind: 'message', message: each }) as const),
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
