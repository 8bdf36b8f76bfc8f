import type { InferRequest, ThinkingPart } from '@pagefault/contracts';
import { anyRequest } from '@pagefault/conformance';
import {
  inputTokens,
  signerOf,
  validateMessagesRequest,
  type CountRequest,
  type ModelRules,
} from '@pagefault/doubles';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBounds } from '../src/bounds.js';
import { factsOfModel } from '../src/models.js';
import { redactedPart, thinkingPart } from '../src/reasoning.js';
import { toMessagesBody, type RequestSettings } from '../src/request.js';
import { settings } from './helpers.js';

const signer = signerOf(settings.model);

/** Thinking that the service gave, and of which it knows the signature. */
const own: fc.Arbitrary<ThinkingPart> = fc.oneof(
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .map((text) => thinkingPart(settings.model, text, signer.sign(text, 'p'))),
  fc.string({ maxLength: 12 }).map((text) => redactedPart(settings.model, signer.seal(text, 'p'))),
);

/** Every way to think, with what the service then wants. */
const MODES: Record<string, { settings: Partial<RequestSettings>; rules: Partial<ModelRules> }> = {
  'a model that does not think': { settings: {}, rules: { prefill: false } },
  'a budget': { settings: { thinking: 1_024 }, rules: { thinking: 'budget' } },
  'adaptive thinking': {
    settings: { thinking: 'adaptive' },
    rules: { thinking: 'adaptive', prefill: false },
  },
  'thinking turned off': { settings: { thinking: 'disabled' }, rules: {} },
  'a model that always thinks': {
    settings: { thinksByDefault: true },
    rules: { alwaysThinks: true, prefill: false },
  },
  'a model that binds its thinking': {
    settings: { thinksByDefault: true, replayThinking: false },
    rules: { alwaysThinks: true, bindsThinking: true, prefill: false },
  },
};

const requests = anyRequest(own, 4_000);
const RUNS = Number(process.env['PAGEFAULT_RUNS'] ?? 600);

describe.each(Object.entries(MODES))(
  'invariant 2 for Anthropic: whatever was evicted, the service accepts the request, with %s',
  (_title, { settings: change, rules }) => {
    const all = { ...settings, maxOutput: 4_000, ...change };
    const accepts = (request: InferRequest): void => {
      expect(validateMessagesRequest(toMessagesBody(request, all), rules)).toEqual([]);
    };

    it('after evictions of whole pages (A58)', () => {
      fc.assert(
        fc.property(requests, ({ evicted }) => accepts(evicted)),
        { numRuns: RUNS },
      );
    });

    it('after losses of single messages, cuts anywhere and interrupted calls (A01 A02 A04 A06 A21)', () => {
      fc.assert(
        fc.property(requests, ({ torn }) => accepts(torn)),
        { numRuns: RUNS },
      );
    });
  },
);

describe('a request to Anthropic', () => {
  it('has the same bytes for the same history', () => {
    fc.assert(
      fc.property(requests, ({ whole }) => {
        const send = (): string => JSON.stringify(toMessagesBody(structuredClone(whole), settings));
        expect(send()).toBe(send());
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the bytes of its prefix when the conversation goes on, but for the marks (A56)', () => {
    fc.assert(
      fc.property(requests, ({ whole }) => {
        const end = { id: 'm', role: 'user', at: 0, parts: [{ type: 'text', text: 'and?' }] } as const;
        const sent = (messages: InferRequest['messages']) =>
          toMessagesBody(
            { ...whole, messages, breakpoints: [] },
            { ...settings, thinking: 'adaptive' },
          ).messages.flatMap(({ role, content }) =>
            (content as object[]).map((block) => [role, JSON.stringify(block)]),
          );
        const before = sent([...whole.messages, end]);
        const after = sent([...whole.messages, end, { ...end, role: 'assistant' }, end]);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });

  it.each(['claude-opus-4-8', 'claude-haiku-4-5'])(
    'sends nothing that was not counted: %s (A34)',
    (model) => {
      const bounds = createBounds({ ...factsOfModel(model), model: settings.model });
      fc.assert(
        fc.property(requests, ({ whole }) => {
          const body = toMessagesBody(whole, { ...settings, thinking: 'adaptive' });
          // Tools that only stand in for the history's are the provider's guess to count: the kernel always has tools.
          if (whole.tools.length === 0) return;
          const counted = bounds([
            { kind: 'tools', tools: whole.tools },
            { kind: 'system', text: whole.system },
            ...whole.messages.map((each) => ({ kind: 'message', message: each }) as const),
          ]);
          const total = counted.reduce((sum, tokens) => sum + tokens, 0);
          expect(total).toBeGreaterThanOrEqual(inputTokens(body as unknown as CountRequest));
        }),
        { numRuns: 600 },
      );
    },
  );
});
