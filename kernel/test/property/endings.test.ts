import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { world } from '../support/gen.js';
import { play } from '../support/run.js';

const OUTCOMES = new Set(
  (
    'answered yielded refused truncated interrupted failed cycle-cap spend-cap time-cap repeating thrashing ' +
    'lease-lost appended'
  ).split(' '),
);

describe('invariant 10', () => {
  it('every run ends with one outcome, whatever the processor answers', () => {
    fc.assert(
      fc.property(world, (random) => {
        const harness = play(random);
        const started = harness.observed('turn-started');
        const ended = harness.observed('turn-ended');
        for (const { outcome } of ended) expect(OUTCOMES).toContain(outcome);
        // A crash may leave a turn that never was, or begin one again; what was taken in has ended.
        expect(harness.store.state().turn).toBeUndefined();
        expect(new Set(ended.map(({ turnId }) => turnId)).size).toBe(ended.length);
        expect(ended.length).toBeLessThanOrEqual(started.length);
        for (const row of harness.store.rows('deliveries'))
          expect(row.value).toMatchObject({ state: 'done' });
      }),
      { numRuns: 30 },
    );
  });

  it('every message that was taken in is in recall once, and answered once (invariant 3, in the core)', () => {
    fc.assert(
      fc.property(world, (random) => {
        const harness = play(random);
        const ids = harness.store.log.map(({ message }) => message.id);
        expect(new Set(ids).size).toBe(ids.length);
        expect(harness.store.log.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index + 1));
        const results = harness.effects.flatMap((effect) =>
          effect.type === 'end' ? [effect.result.interruptId] : [],
        );
        expect(new Set(results).size).toBe(results.length);
      }),
      { numRuns: 30 },
    );
  });
});
