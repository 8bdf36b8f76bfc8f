import { validateChatRequest } from '@pagefault/doubles';
import { createOpenAIProcessor } from '@pagefault/driver-processor-openai';
import type { InferRequest } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';
import { problemsOf } from '../support/whole.js';

const bodies: unknown[] = [];

/** A client that notes the body and says nothing of interest. */
const client = {
  chat: {
    completions: {
      create: async (body: unknown) => {
        bodies.push(body);
        return chunks();
      },
    },
  },
};

async function* chunks() {
  const base = { id: 'x', object: 'chat.completion.chunk', created: 0, model: 'gpt-4o' } as const;
  yield { ...base, choices: [{ index: 0, delta: { content: 'ok' }, finish_reason: 'stop' as const }] };
}

const processor = createOpenAIProcessor({ model: 'gpt-4o', client });

async function bodyOf(request: InferRequest): Promise<unknown> {
  for await (const event of processor.infer(request)) if (event.type === 'finish') break;
  return bodies.pop();
}

describe('invariant 2', () => {
  it('evictions, interruptions, crashes and swaps yield requests that OpenAI accepts (A01–A09, A18, A19)', async () => {
    await processor.open();
    let longest = 0;
    await fc.assert(
      fc.asyncProperty(world, async (random) => {
        const { requests } = play(random);
        for (const { request } of requests.slice(-12)) {
          longest = Math.max(longest, request.messages.length);
          expect(validateChatRequest(await bodyOf(request))).toEqual([]);
        }
      }),
      { numRuns: 30 },
    );
    expect(longest).toBeGreaterThan(5);
    await processor.close();
  });

  it('what the core lays out is whole by itself: pairs in one piece, ids unique, nothing empty', () => {
    fc.assert(
      fc.property(world, (random) => {
        for (const { request } of play(random).requests) expect(problemsOf(request)).toEqual([]);
      }),
      { numRuns: 30 },
    );
  });
});
