import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { POLICIES } from '../../src/policy/registry.js';
import { countPiece } from '../support/count.js';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';

/** Of each policy; together they are far more than one alone would need. */
const RUNS = 25;

describe.each(Object.entries(POLICIES))('invariant 1, under %s', (_, policy) => {
  it('no request exceeds the budget by calibrated count, whatever arrives; and everything that is sent is counted', () => {
    fc.assert(
      fc.property(world, (random) => {
        const harness = play(random, undefined, { policy });
        for (const { request, tokens, budget } of harness.requests) {
          expect(tokens).toBeLessThanOrEqual(budget);
          const counted =
            countPiece({ kind: 'tools', tools: request.tools }) +
            countPiece({ kind: 'system', text: request.system }) +
            request.messages.reduce((sum, message) => sum + countPiece({ kind: 'message', message }), 0);
          expect(counted).toBeLessThanOrEqual(tokens);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
