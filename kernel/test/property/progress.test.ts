/**
 * The evictor's progress, whatever the policy answers: a reclaim frees at least a page, or the turn ends with a named
 * outcome; and what is sent fits, with calls and results whole.
 */
import type { PageId } from '@pagefault/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation, ReclaimAsked } from '../../src/core/observation.js';
import { guardPolicy } from '../../src/guard/policy.js';
import { fifo } from '../../src/policy/fifo.js';
import type { PagingPolicy, VictimQuery } from '../../src/policy/policy.js';
import { pinningMore, world } from '../support/gen.js';
import type { Harness } from '../support/harness.js';
import { play } from '../support/run.js';
import { problemsOf } from '../support/whole.js';

/** How a policy may be wrong. */
const NONSENSE = {
  'nothing at all': () => [],
  'pages that are not there': () => [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000],
  'all pages, twice, whether they may go or not': () => [...everyId(), ...everyId()],
  'only pages that may not go': ({ isEligible }: VictimQuery) => everyId().filter((id) => !isEligible(id)),
  'the newest page that may go': ({ isEligible }: VictimQuery) => everyId().filter(isEligible).slice(-1),
  'the same page many times': () => Array.from({ length: 50 }, () => 3),
  'an error': (): PageId[] => {
    throw new Error('a policy that throws');
  },
} satisfies Record<string, (ask: VictimQuery) => PageId[]>;

type Nonsense = keyof typeof NONSENSE;
const kinds = Object.keys(NONSENSE) as Nonsense[];

function everyId(): PageId[] {
  return Array.from({ length: 200 }, (_, index) => index + 1);
}

/** Beyond this a reclaim has no end. */
const MOST_ASKED = 5_000;

/** Answers by the list, over and over. Errors are kept from the pager as in a kernel. */
function senseless(answers: readonly Nonsense[]): () => PagingPolicy {
  let [answered, asked] = [0, 0];
  const answer = (ask: VictimQuery) =>
    NONSENSE[answers[answered++ % answers.length] ?? 'nothing at all'](ask);
  return () => {
    const guarded = guardPolicy({ ...fifo(), victims: answer }, () => undefined);
    const victims = (ask: VictimQuery) => {
      if (asked++ > MOST_ASKED) throw new Error('asked without end');
      return guarded.victims(ask);
    };
    return { ...guarded, victims };
  };
}

const senselessWorld = fc.record({
  world,
  answers: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 5 }),
});
type SenselessWorld = typeof senselessWorld extends fc.Arbitrary<infer T> ? T : never;

function playedBy({ world: random, answers }: SenselessWorld): Harness {
  // A crash takes back what was told and not committed yet.
  const steps = random.steps.filter(({ kind }) => kind !== 'crash');
  return play(pinningMore({ ...random, steps }), undefined, { policy: senseless(answers) });
}

/** Each page that the pager named, with what became of it. */
function checkReclaims(observations: readonly Observation[]): number {
  let reclaims = 0;
  const pinned = new Set<PageId>();
  for (const [index, one] of observations.entries()) {
    if (one.name === 'page-pinned') pinned.add(one.page);
    if (one.name === 'page-unpinned') pinned.delete(one.page);
    if (one.name !== 'reclaim') continue;
    reclaims++;
    checkVictims(one);
    for (const id of one.eligible) expect(pinned).not.toContain(id);
    const end = observations
      .slice(index + 1)
      .find(({ name }) => name === 'flush-finished' || name === 'turn-ended');
    // A turn that is cancelled while the summary is made ends, and frees nothing.
    if (end?.name === 'flush-finished') expect(end.evicted).toBe(one.victims.length);
    else expect(end?.name).toBe('turn-ended');
  }
  return reclaims;
}

function checkVictims({ victims, eligible, sizes, release }: ReclaimAsked): void {
  expect(victims.length).toBeGreaterThan(0);
  expect(new Set(victims).size).toBe(victims.length);
  for (const id of victims) expect(eligible).toContain(id);
  const sizeOf = (id: PageId) => sizes[eligible.indexOf(id)] ?? 0;
  const sum = (ids: readonly PageId[]) => ids.reduce((total, id) => total + sizeOf(id), 0);
  expect(sum(victims)).toBeGreaterThanOrEqual(Math.min(release, sum(eligible)));
}

describe('under a policy that answers nonsense', () => {
  it('each reclaim frees at least one page that may go, and enough of them (A45, gap 5)', () => {
    let reclaims = 0;
    fc.assert(
      fc.property(senselessWorld, (random) => {
        reclaims += checkReclaims(playedBy(random).observations);
      }),
      { numRuns: 60 },
    );
    expect(reclaims).toBeGreaterThan(60);
  });

  it('no request is over the budget, and each has its calls and results whole, with pins and stubs (invariants 1 and 2, gap 6)', () => {
    let [stubs, pins] = [0, 0];
    fc.assert(
      fc.property(senselessWorld, (random) => {
        const harness = playedBy(random);
        for (const { request, tokens, budget } of harness.requests) {
          expect(tokens).toBeLessThanOrEqual(budget);
          expect(problemsOf(request)).toEqual([]);
        }
        stubs += harness.observed('page-stubbed').length;
        pins += harness.observed('page-pinned').length;
      }),
      { numRuns: 60 },
    );
    expect(Math.min(stubs, pins)).toBeGreaterThan(30);
  });

  it('each turn ends, and one that cannot go on says which sizes stand in its way (invariant 10)', () => {
    let irreducible = 0;
    fc.assert(
      fc.property(senselessWorld, (random) => {
        const harness = playedBy(random);
        expect(harness.observed('turn-ended')).toHaveLength(harness.observed('turn-started').length);
        for (const effect of harness.effects) {
          if (effect.type !== 'end' || effect.result.failure?.code !== 'E_CONTEXT_IRREDUCIBLE') continue;
          irreducible++;
          expect(effect.result.failure.message).toMatch(/\d+ tokens must be sent, the budget is \d+/);
        }
      }),
      { numRuns: 60 },
    );
    expect(irreducible).toBeGreaterThan(5);
  });
});
