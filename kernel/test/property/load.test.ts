import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedRows, restoreState } from '../../src/core/records.js';
import type { ProcessState } from '../../src/core/state.js';
import { world } from '../support/gen.js';
import type { Harness } from '../support/harness.js';
import { play } from '../support/run.js';
import { copy } from '../support/store.js';

function saved(state: ProcessState): string {
  return JSON.stringify(
    changedRows(undefined, state).puts.toSorted((a, b) => (a.space + a.key < b.space + b.key ? -1 : 1)),
  );
}

/** As a store hands it back: through JSON, with fresh objects. */
function loaded(harness: Harness, state: ProcessState): ProcessState {
  const rows = changedRows(undefined, state).puts.map((put) => ({ ...copy(put), version: 1 }));
  return restoreState(rows, copy(harness.store.log));
}

describe('invariant 5', () => {
  it('save, load, save is byte-equal at every step of a run', () => {
    fc.assert(
      fc.property(world, (random) => {
        play(random, (harness) => {
          const { state } = harness;
          expect(saved(loaded(harness, state))).toBe(saved(state));
          expect(loaded(harness, state)).toEqual(copy(state));
          // What the commits wrote one by one is the same as all of it at once.
          expect(saved(harness.store.state())).toBe(saved(state));
        });
      }),
      { numRuns: 25 },
    );
  });

  it('a loaded machine goes on with the same requests as the live one', () => {
    fc.assert(
      fc.property(world, (random) => {
        const calm = {
          ...random,
          steps: random.steps.filter(({ kind }) => kind === 'send' || kind === 'feed'),
        };
        const live = play(calm);
        const reloaded = play(calm, (harness) => void harness.reload());
        expect(reloaded.requests.map(({ request }) => JSON.stringify(request))).toEqual(
          live.requests.map(({ request }) => JSON.stringify(request)),
        );
        expect(reloaded.store.log).toEqual(live.store.log);
      }),
      { numRuns: 25 },
    );
  });
});
