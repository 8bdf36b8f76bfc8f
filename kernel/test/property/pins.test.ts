import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pinLimit, pinnedPages } from '../../src/core/pins.js';
import { calibrated, pageTokens } from '../../src/core/pressure.js';
import type { Observation } from '../../src/core/observation.js';
import { pinningMore, world } from '../support/gen.js';
import type { Harness } from '../support/harness.js';
import { play } from '../support/run.js';

/** Pages that are pinned by what was told: pinned, and neither unpinned nor dropped since. */
function toldPinned(observations: readonly Observation[]): Set<number> {
  const pinned = new Set<number>();
  for (const one of observations) {
    if (one.name === 'page-pinned') pinned.add(one.page);
    if (one.name === 'page-unpinned') pinned.delete(one.page);
    if (one.name === 'page-evicted') expect(pinned).not.toContain(one.page);
  }
  return pinned;
}

function pinnedTokens({ state }: Harness): number {
  return calibrated(
    state,
    pinnedPages(state).reduce((sum, page) => sum + pageTokens(page), 0),
  );
}

describe('pins', () => {
  it('stay in the queue, and in the store, until they are unpinned or dropped, and that is told', () => {
    let most = 0;
    fc.assert(
      fc.property(world, (random) => {
        // A crash takes back what was told and not committed yet.
        const steps = random.steps.filter(({ kind }) => kind !== 'crash');
        const harness = play(pinningMore({ ...random, steps }));
        const pinned = pinnedPages(harness.state).map(({ id }) => id);
        most = Math.max(most, pinned.length);
        expect(new Set(pinned)).toEqual(toldPinned(harness.observations));
        expect(pinnedPages(harness.store.state()).map(({ id }) => id)).toEqual(pinned);
      }),
      { numRuns: 40 },
    );
    expect(most).toBeGreaterThan(2);
  });

  it('keep within their share of the budget whenever one is made, and after every swap', () => {
    fc.assert(
      fc.property(world, (random) => {
        play(pinningMore(random), (harness, step) => {
          // A pin that was made last; one that was refused tells nothing, and leaves older ones whatever they are.
          const made = step.kind === 'pin' && harness.observations.at(-1)?.name === 'page-pinned';
          if (made || step.kind === 'swap')
            expect(pinnedTokens(harness)).toBeLessThanOrEqual(
              pinLimit(harness.config, harness.machine.budget),
            );
        });
      }),
      { numRuns: 40 },
    );
  });
});
