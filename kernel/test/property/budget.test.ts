import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countPiece } from '../support/count.js';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';

describe('invariant 1', () => {
  it('no request exceeds the budget by calibrated count, whatever arrives; and everything that is sent is counted', () => {
    fc.assert(
      fc.property(world, (random) => {
        const harness = play(random);
        for (const { request, tokens, budget } of harness.requests) {
          expect(tokens).toBeLessThanOrEqual(budget);
          const counted =
            countPiece({ kind: 'tools', tools: request.tools }) +
            countPiece({ kind: 'system', text: request.system }) +
            request.messages.reduce((sum, message) => sum + countPiece({ kind: 'message', message }), 0);
          expect(counted).toBeLessThanOrEqual(tokens);
        }
      }),
      { numRuns: 60 },
    );
  });
});
