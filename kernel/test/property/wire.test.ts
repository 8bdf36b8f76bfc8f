import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openWire } from '../support/wire.js';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';
import { problemsOf } from '../support/whole.js';

describe('invariant 2', () => {
  it('evictions, interruptions, crashes and swaps yield requests that OpenAI and Anthropic accept (A01–A09, A18, A19)', async () => {
    const wire = await openWire();
    let longest = 0;
    await fc.assert(
      fc.asyncProperty(world, async (random) => {
        const { requests } = play(random);
        for (const { request } of requests.slice(-12)) {
          longest = Math.max(longest, request.messages.length);
          expect(await wire.problemsOf(request)).toEqual([]);
        }
      }),
      { numRuns: 30 },
    );
    expect(longest).toBeGreaterThan(5);
    await wire.close();
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
